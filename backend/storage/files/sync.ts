import { open } from "node:fs/promises";

/** Makes sure that a file's content, or a name made in a folder, is still there after a power cut. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
