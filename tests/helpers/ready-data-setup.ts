import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ensureBuilt } from "../../scripts/build-site.mjs";
import { startServer } from "./server-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder as a first start leaves it, for `readyDataDir` to copy. */
    readyData: string;
  }
}

/**
 * Disables fsync: no test cuts the power. Confirmed writes still reach the WAL, whose files are not zero-filled first,
 * and the buffers are sized for a few users.
 */
const WITHOUT_DISK = `fsync = off
full_page_writes = off
wal_init_zero = off
min_wal_size = 32MB
shared_buffers = 64MB
`;

/** Has a site create its data folder once for the whole run: copying it costs a fraction of a first start. */
export default async function setup(project: TestProject): Promise<() => void> {
  await ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), "fruit-values-ready-"));
  const server = await startServer({ env: { DATA_DIR: dataDir } });
  await server.stop();
  // The socket folder is gone; copies must not try to remove it.
  rmSync(join(dataDir, "socket-folder"), { force: true });
  appendFileSync(join(dataDir, "postgres", "postgresql.auto.conf"), WITHOUT_DISK);
  project.provide("readyData", dataDir);
  return () => rmSync(dataDir, { recursive: true, force: true });
}
