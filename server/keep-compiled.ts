import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { constants, enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { CLIENT_FILES } from "./assets/former-files.ts";

const FOLDER = "compiled";

/**
 * Keeps what Node makes of the site's code, TypeScript without its types and V8's own form of it, for the next start: in the
 * data folder, where nobody else writes, once a site has run there. The processes that this one starts find it by the
 * variable. A start only takes longer without it, so whatever fails here ends none.
 */
export function keepCompiled(dataDir: string): void {
  // The operator has named another place.
  if (getCompileCacheDir() !== undefined || !existsSync(join(dataDir, CLIENT_FILES))) return;
  const release = createHash("sha256")
    .update(`${process.version} ${import.meta.dirname}`)
    .digest("hex")
    .slice(0, 16);
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
