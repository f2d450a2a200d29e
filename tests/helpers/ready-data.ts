import { inject } from "vitest";
import { copyDataDir } from "./copy-data-dir.ts";
import "./ready-data-setup.ts";

/**
 * A data folder of one's own in which the first start's work is done: the keys, the database, the starting catalogue.
 * For tests that are not about that start.
 */
export function readyDataDir(): string {
  return copyDataDir(inject("readyData"));
}
