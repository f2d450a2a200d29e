import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SecretFile } from "./secret-files.ts";

/**
 * Writes a secret for its owner's eyes. It stands in the file whole, on the disk, or not at all: half a secret that a
 * power cut left behind would sign everybody out. What is there already is kept unless it may be replaced.
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
    // A write that found no room does not say where.
    if (replace || (error as NodeJS.ErrnoException).code !== "EEXIST")
      throw Object.assign(error as Error, { path: file });
  } finally {
    rmSync(draft, { force: true });
  }
  flushFolder(dataDir);
}

/** The file's name is the folder's, and is kept apart from its content. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
