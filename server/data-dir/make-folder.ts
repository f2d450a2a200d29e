import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder that the operator named, and those above it, readable by their owner only. Level by level: Node's
 * `recursive` never ends below a folder in which none can be made, such as `/proc`.
 */
export function makeFolder(folder: string): void {
  makeMissing(resolve(folder));
}

function makeMissing(folder: string): void {
  if (isFolder(folder)) return;
  if (!existsSync(dirname(folder))) makeMissing(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();
