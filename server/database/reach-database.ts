import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerConfig } from "../configuration/config.ts";
import { DataDirInUse, lockDataDir } from "../data-dir/lock-data-dir.ts";

/** A database with its owner's login, for as long as it is needed. */
export type OwnersDatabase = { url: string; stop(): Promise<void> };

/** The running site's database, else one that `open` starts for this purpose. */
export async function reachDatabase(
  config: ServerConfig,
  open: () => Promise<OwnersDatabase>,
): Promise<OwnersDatabase> {
  const running = join(config.dataDir, "database-url");
  let lock: ReturnType<typeof lockDataDir>;
  try {
    lock = lockDataDir(config.dataDir);
  } catch (error) {
    if (!(error instanceof DataDirInUse) || !(config.databaseUrl || existsSync(running))) throw error;
    const url = config.databaseUrl ?? readFileSync(running, "utf8").trim();
    return { url, stop: async () => {} };
  }
  try {
    const database = await open();
    return {
      url: database.url,
      async stop() {
        await database.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
