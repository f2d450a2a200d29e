import { rmSync } from "node:fs";
import { inject } from "vitest";
import { type EmbeddedPostgres, startPostgres } from "#server/postgres/start-postgres.ts";
import { copyDataDir } from "./copy-data-dir.ts";
import "./ready-data-setup.ts";

/**
 * A private data folder in which the first start's work is done: keys, database, starting catalog. For tests that are
 * not about the first start.
 */
export function readyDataDir(): string {
  return copyDataDir(inject("readyData"));
}

export type ReadyPostgres = Pick<EmbeddedPostgres, "url" | "pid" | "stop">;

/** A PostgreSQL whose database `postgres` is ready in the same way, for sites that are given its URL. */
export async function startReadyPostgres(): Promise<ReadyPostgres> {
  const dataDir = readyDataDir();
  const postgres = await startPostgres({ dataDir });
  return {
    url: postgres.url,
    get pid() {
      return postgres.pid;
    },
    async stop() {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
