import { type WriteFileOptions, writeFileSync } from "node:fs";

/** Writes a file; its path is in the error of a full disk, too, where Node leaves it out. */
export function writeFile(path: string, text: string, options?: WriteFileOptions): void {
  try {
    writeFileSync(path, text, options);
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}
