import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess } from "./start-server.ts";

const START = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));

export type StartedSite = {
  url: string;
  pid: number;
  dataDir: string;
  /** Stops it, and deletes its data folder if that is its own. */
  stop(): Promise<void>;
};

/**
 * The whole site as with `npm start`, with a port and data folder of its own, on the first core unless it may use all.
 */
export async function startSite(
  settings: Record<string, string> = {},
  { isPinned = true } = {},
): Promise<StartedSite> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const environment = {
    DATA_DIR: folder,
    PORT: "0",
    HOST: "127.0.0.1",
    DATABASE_URL: "",
    SUPABASE_URL: "",
    ...settings,
  };
  const command = [process.execPath, START];
  const { url, pid, stop } = await startProcess(command, /(http:\/\/[\w.[\]:-]+:\d+)/, environment, {
    isPinned,
  });
  return {
    url,
    pid,
    dataDir: environment.DATA_DIR,
    async stop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The key with which the site's own pages call the backend. */
export async function readKey(site: string): Promise<string> {
  const html = await (await fetch(`${site}/community`)).text();
  const [, key] = /supabaseAnonKey\\?",\\?"([\w.-]+)/.exec(html) ?? [];
  if (!key) throw new Error("The pages name no key.");
  return key;
}
