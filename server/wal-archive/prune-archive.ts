import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseSegment } from "./segments.ts";

/** The archive may be on a machine whose clock is another. */
const MARGIN_MS = 60 * 60_000;

/** Removes what no backup needs any more: files whose last byte was written before the oldest one began. */
export async function pruneArchive(folder: string, oldestBegan: Date): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder)) {
    if (!parseSegment(name)) continue;
    const file = join(folder, name);
    if ((await stat(file)).mtimeMs >= oldestBegan.getTime() - MARGIN_MS) continue;
    await rm(file);
    removed += 1;
  }
  return removed;
}
