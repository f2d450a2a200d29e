import type { RequestListener, Server } from "node:http";
import type { Backend } from "#backend/backend.ts";
import { describeSchema } from "./describe-schema.ts";
import { isReached } from "./listen.ts";

type Answer = { status: number; type?: string; text?: string };

/**
 * PostgREST's admin server. `/live`: the main server is reached. `/ready`: the database answers too, and what is in it is
 * known. `/config`, `/schema_cache` and `/metrics` tell what is in force.
 */
export function adminListener(main: Server, backend: Backend, config: () => string): RequestListener {
  const answers: Record<string, () => Promise<Answer>> = {
    "/live": async () => ({ status: (await isReached(main)) ? 200 : 500 }),
    "/ready": async () => ({ status: await readiness(main, backend) }),
    "/config": async () => ({ status: 200, type: "text/plain", text: config() }),
    "/schema_cache": () => tellSchema(backend),
    "/metrics": async () => ({ status: 200, type: "text/plain", text: metrics(backend) }),
  };
  return async (request, response) => {
    const answer = answers[request.url?.split("?", 1)[0] ?? ""];
    const { status, type, text = "" } = answer ? await answer() : { status: 404 };
    response.writeHead(status, type ? { "content-type": `${type}; charset=utf-8` } : {}).end(text);
  };
}

async function readiness(main: Server, backend: Backend): Promise<number> {
  if (!(await isReached(main))) return 500;
  return (await backend.isReady()) ? 200 : 503;
}

async function tellSchema({ rest }: Backend): Promise<Answer> {
  const schema = await rest?.schema().catch(() => null);
  return schema
    ? { status: 200, type: "application/json", text: JSON.stringify(describeSchema(schema)) }
    : { status: 503 };
}

/** In the format that Prometheus reads, by the original's names. */
function metrics({ rest, poolUse }: Backend): string {
  const { succeeded, failed, seconds } = rest?.loaded() ?? { succeeded: 0, failed: 0, seconds: 0 };
  const { max, available, waiting, timeouts } = poolUse();
  return [
    metric("pgrst_schema_cache_query_time_seconds", "gauge", "How long reading the schema took at last", {
      "": seconds,
    }),
    metric("pgrst_schema_cache_loads_total", "counter", "How often the schema was read", {
      '{status="SUCCESS"}': succeeded,
      '{status="FAIL"}': failed,
    }),
    metric("pgrst_db_pool_max", "gauge", "Connections at most", { "": max }),
    metric("pgrst_db_pool_available", "gauge", "Connections that are free or not yet made", {
      "": available,
    }),
    metric("pgrst_db_pool_waiting", "gauge", "Requests that wait for a connection", { "": waiting }),
    metric("pgrst_db_pool_timeouts_total", "counter", "Requests that waited in vain", { "": timeouts }),
  ].join("");
}

function metric(name: string, type: string, help: string, values: Record<string, number>): string {
  const lines = Object.entries(values).map(([labels, value]) => `${name}${labels} ${value.toFixed(1)}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
