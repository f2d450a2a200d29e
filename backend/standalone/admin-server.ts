import type { RequestListener, Server } from "node:http";
import type { Backend } from "#backend/backend.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import type { QualifiedName, SchemaCache } from "#backend/rest/schema-cache/types.ts";
import { restFigures } from "#backend/rest-figures.ts";
import { isReached } from "./listen.ts";

type Answer = { status: number; type?: string; text?: string };

/**
 * PostgREST's admin server. `/live`: the main server accepts connections. `/ready`: so does the database, and its
 * schema is loaded. `/config`, `/schema_cache` and `/metrics` report the current state.
 */
export function adminListener(main: Server, backend: Backend, config: () => string): RequestListener {
  const answers: Record<string, () => Promise<Answer>> = {
    "/live": async () => ({ status: (await isReached(main)) ? 200 : 500 }),
    "/ready": async () => ({ status: await readiness(main, backend) }),
    "/config": async () => ({ status: 200, type: "text/plain", text: config() }),
    "/schema_cache": () => respondWithSchema(backend),
    "/metrics": async () => ({ status: 200, type: "text/plain", text: restFigures(backend) }),
  };
  return async (request, response) => {
    const answer = answers[splitAddress(request.url ?? "").path];
    const { status, type, text = "" } = answer ? await answer() : { status: 404 };
    response.writeHead(status, type ? { "content-type": `${type}; charset=utf-8` } : {}).end(text);
  };
}

async function readiness(main: Server, backend: Backend): Promise<number> {
  if (!(await isReached(main))) return 500;
  return (await backend.isReady()) ? 200 : 503;
}

async function respondWithSchema({ rest }: Backend): Promise<Answer> {
  const schema = await rest?.schema.current().catch(() => null);
  return schema
    ? { status: 200, type: "application/json", text: JSON.stringify(describeSchema(schema)) }
    : { status: 503 };
}

/** The schema cache of rest/v1 as plain data: pairs of a name and its entries, under PostgREST's keys. */
function describeSchema(cache: SchemaCache) {
  const tables = [...cache.tables.values()];
  return {
    dbTables: tables.map((table) => [named(table), { ...table, columns: [...table.columns.values()] }]),
    dbRelationships: [...cache.relationships.values()].map((list) => [list[0] && named(list[0].table), list]),
    dbRoutines: [...cache.routines.values()].map((list) => [list[0] && named(list[0]), list]),
    dbRepresentations: tables.flatMap((table) =>
      [...table.columns.values()].flatMap(({ name, representation }) =>
        representation ? [[named(table), name, representation]] : [],
      ),
    ),
    dbMediaHandlers: cache.mediaHandlers,
  };
}

function named({ schema, name }: QualifiedName) {
  return { qiName: name, qiSchema: schema };
}
