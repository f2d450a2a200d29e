import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ensureBuilt } from "../../scripts/build-site.mjs";
import { startServer } from "./server-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder as a first start leaves it; for `readyDataDir` to copy. */
    readyData: string;
  }
}

/**
 * No test pulls the plug of the machine, so nobody has to wait for the disk. What is confirmed is in the log all the same,
 * whose files are not filled with zeros before. Nor is there more in the buffers than a few people bring.
 */
const WITHOUT_DISK = `fsync = off
full_page_writes = off
wal_init_zero = off
min_wal_size = 32MB
shared_buffers = 64MB
`;

/** Has a site make its data folder once for the whole run: copying one costs a fraction of the first start. */
export default async function setup(project: TestProject): Promise<() => void> {
  await ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), "fruit-values-ready-"));
  const server = await startServer({ env: { DATA_DIR: dataDir } });
  await server.stop();
  // The folder of its socket is gone, and no copy's to remove.
  rmSync(join(dataDir, "socket-folder"), { force: true });
  appendFileSync(join(dataDir, "postgres", "postgresql.auto.conf"), WITHOUT_DISK);
  project.provide("readyData", dataDir);
  return () => rmSync(dataDir, { recursive: true, force: true });
}
