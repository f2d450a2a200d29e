import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { constants, enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { CLIENT_FILES } from "./assets/former-files.ts";

const FOLDER = "compiled";

/**
 * Turns on Node's compile cache (stripped TypeScript and V8 bytecode) for faster starts. It lives in the data folder,
 * to which only this user can write, once a site has run there; child processes find it through the environment
 * variable. The cache only saves time, so any error here is ignored.
 */
export function keepCompiled(dataDir: string): void {
  // The operator configured another cache folder.
  if (getCompileCacheDir() !== undefined || !existsSync(join(dataDir, CLIENT_FILES))) return;
  const release = hash("sha256", `${process.version} ${import.meta.dirname}`).slice(0, 16);
  const folder = join(dataDir, FOLDER, release);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const other of readdirSync(join(dataDir, FOLDER)))
      if (other !== release) rmSync(join(dataDir, FOLDER, other), { recursive: true });
  } catch {
    return;
  }
  if (enableCompileCache(folder).status === constants.compileCacheStatus.ENABLED)
    process.env.NODE_COMPILE_CACHE = folder;
}
