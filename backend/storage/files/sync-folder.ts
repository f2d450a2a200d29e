import { open } from "node:fs/promises";

/** Makes sure that a name made in the folder is still there after a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
