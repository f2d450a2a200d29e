import { open } from "node:fs/promises";

/** Flushes a file's content, or a directory's entries, so that they survive a power failure. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
