import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SecretFile } from "./secret-files.ts";

/**
 * Writes a secret file, readable by its owner alone, atomically and synced to disk: a partial secret left behind by a
 * power cut would sign everybody out. An existing file is kept unless `replace` is set.
 */
export function writeSecret(
  dataDir: string,
  name: SecretFile,
  text: string,
  { replace }: { replace: boolean },
): void {
  const file = join(dataDir, name);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    if (replace) renameSync(draft, file);
    else linkSync(draft, file);
  } catch (error) {
    // The error of a write without disk space does not name the path.
    if (replace || (error as NodeJS.ErrnoException).code !== "EEXIST")
      throw Object.assign(error as Error, { path: file });
  } finally {
    rmSync(draft, { force: true });
  }
  flushFolder(dataDir);
}

/** A file's name belongs to its folder, which must be synced separately. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
