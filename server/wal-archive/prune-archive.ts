import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pruneFiles } from "./archived-files.ts";
import { parseSegment } from "./segments.ts";

/** The archive may be on a machine whose clock is another. */
const MARGIN_MS = 60 * 60_000;

/**
 * Removes what no backup needs any more, files of the log and uploaded ones: those whose last byte was written before the
 * oldest one began. Gives how many of the log.
 */
export async function pruneArchive(folder: string, oldestBegan: Date): Promise<number> {
  const before = new Date(oldestBegan.getTime() - MARGIN_MS);
  await pruneFiles(folder, before);
  let removed = 0;
  // Where its disk is away nothing goes, and that is told of already.
  for (const name of await readdir(folder).catch(() => [])) {
    if (!parseSegment(name)) continue;
    const file = join(folder, name);
    if ((await stat(file)).mtimeMs >= before.getTime()) continue;
    await rm(file);
    removed += 1;
  }
  return removed;
}
