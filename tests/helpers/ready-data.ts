import { inject } from "vitest";
import { copyDataDir } from "./copy-data-dir.ts";
import "./ready-data-setup.ts";

/**
 * A private data folder in which the first start's work is done: keys, database, starting catalog. For tests that are
 * not about the first start.
 */
export function readyDataDir(): string {
  return copyDataDir(inject("readyData"));
}
