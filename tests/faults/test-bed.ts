import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadKeys } from "#server/data-dir/load-keys.ts";
import { makeNewUsersAdults } from "#tests/helpers/adult-users.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { signalPostgres } from "#tests/helpers/processes.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

/** All users come from one machine here, and values are published without a second person. */
const SETTINGS = {
  GOTRUE_RATE_LIMIT_SIGN_UPS: "1000",
  GOTRUE_RATE_LIMIT_SIGN_INS: "1000",
  VALUES_DEAR_ITEMS: "0",
  VALUES_NEW_EDITOR_CHANGES: "0",
};

export const BUCKET = "faults";

/** A bucket in which every signed-in user may store files. */
export const OPEN_BUCKET = `
  insert into storage.buckets (id, name) values ('${BUCKET}', '${BUCKET}');
  create policy "tests" on storage.objects for all to authenticated
    using (bucket_id = '${BUCKET}') with check (bucket_id = '${BUCKET}')`;

/** What the users and the judge need to know about a site. */
export type Place = Pick<TestBed, "address" | "anonKey" | "secretKey" | "databaseUrl" | "query">;

/** A site to break, always at the same address. */
export type TestBed = {
  readonly address: string;
  readonly dataDir: string;
  readonly server: ServerProcess;
  readonly workers: number;
  anonKey(): Promise<string>;
  secretKey(): Promise<string>;
  databaseUrl(): string;
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Restarts it after it ended, for whatever reason. */
  start(workers?: number): Promise<void>;
  /** Everything printed, across all starts. */
  output(): string;
  /** Resumes PostgreSQL if a round left it stopped: nothing could shut down otherwise. */
  wake(): void;
  close(): Promise<void>;
};

export async function openTestBed(
  workers: number,
  dataDir: string,
  env: Record<string, string>,
): Promise<TestBed> {
  const port = String(await freePort());
  let server: ServerProcess;
  let starting: Promise<unknown> = Promise.resolve();
  let before = "";
  const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();

  const query = <Row>(sql: string, values?: unknown[]): Promise<Row[]> => runOn(databaseUrl(), sql, values);

  async function start(count = workers): Promise<void> {
    workers = count;
    if (server) before += server.output();
    const next = startServer({
      env: { DATA_DIR: dataDir, ...SETTINGS, ...env, PORT: port, WORKERS: String(count) },
    });
    starting = next.catch(() => {});
    server = await next;
  }

  await start();
  await makeNewUsersAdults(databaseUrl());
  await query(OPEN_BUCKET);
  return {
    address: `http://127.0.0.1:${port}`,
    dataDir,
    get server() {
      return server;
    },
    get workers() {
      return workers;
    },
    anonKey: async () => (await loadKeys(dataDir)).anonKey,
    secretKey: async () => (await loadKeys(dataDir)).serviceRoleKey,
    databaseUrl,
    query,
    start,
    output: () => before + server.output(),
    wake() {
      if (existsSync(join(dataDir, "postgres", "postmaster.pid"))) signalPostgres(dataDir, "SIGCONT");
    },
    async close() {
      // In the middle of a round, the site still starting is the one to stop.
      await starting;
      await server.stop();
      // If the folder is a mount point, only its contents can be removed.
      for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
    },
  };
}
