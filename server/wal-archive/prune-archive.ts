import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pruneFiles } from "./archived-files.ts";
import { parseSegment } from "./segments.ts";

/** Allows for a different clock on the archive's machine. */
const MARGIN_MS = 60 * 60_000;

/**
 * Deletes WAL segments and uploaded files that no backup needs any more: those last written before the oldest backup
 * began. Returns the number of segments deleted.
 */
export async function pruneArchive(folder: string, oldestBegan: Date): Promise<number> {
  const before = new Date(oldestBegan.getTime() - MARGIN_MS);
  await pruneFiles(folder, before);
  let removed = 0;
  // If its disk is missing, nothing is deleted; that failure is logged elsewhere.
  for (const name of await readdir(folder).catch(() => [])) {
    if (!parseSegment(name)) continue;
    const file = join(folder, name);
    if ((await stat(file)).mtimeMs >= before.getTime()) continue;
    await rm(file);
    removed += 1;
  }
  return removed;
}
