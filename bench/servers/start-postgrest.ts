import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { pinned } from "../load/run-load.ts";
import { freePort } from "./free-port.ts";
import type { StartedServer } from "./start-server.ts";

/** PostgREST itself on the first core, as installed or at the path `POSTGREST`; null if there is none. */
export async function startPostgrest(options: {
  databaseUrl: string;
  jwtSecret: string;
  connections: number;
}): Promise<StartedServer | null> {
  const program = process.env.POSTGREST ?? "postgrest";
  if (spawnSync(program, ["--help"]).error) return null;
  const port = await freePort();
  const env = {
    ...process.env,
    PGRST_DB_URI: options.databaseUrl,
    PGRST_DB_SCHEMAS: "public",
    PGRST_DB_ANON_ROLE: "anon",
    PGRST_DB_POOL: String(options.connections),
    PGRST_JWT_SECRET: options.jwtSecret,
    PGRST_SERVER_HOST: "127.0.0.1",
    PGRST_SERVER_PORT: String(port),
  };
  const [command = "", ...args] = pinned([program], 0);
  const child = spawn(command, args, { env, stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; tries < 100 && !(await isReady()); tries++) await pause(50);
  return {
    url,
    pid: child.pid as number,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
