import { open } from "node:fs/promises";

/** Makes sure that a file's content, or a name made in a folder, is still there after a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
