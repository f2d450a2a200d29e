import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An LRU cache of rendered pictures on disk. Lost entries are rendered again. */
export type RenderedCache = {
  get(name: string): Promise<Uint8Array | null>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Removes the renderings of these versions; names start with the version. */
  forget(versions: readonly string[]): Promise<void>;
};

const VERSION_LENGTH = 36;

/** Adopts the files left by an earlier process. `isShared`: other processes add files to the folder, too. */
export async function openRenderedCache(
  folder: string,
  { maxBytes, isShared }: { maxBytes: number; isShared: boolean },
): Promise<RenderedCache> {
  await mkdir(folder, { recursive: true });
  // A Map keeps insertion order: the first entry is the least recently used.
  const sizes = await readSizes(folder);
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);

  async function drop(name: string): Promise<void> {
    bytes -= sizes.get(name) ?? 0;
    sizes.delete(name);
    await rm(join(folder, name), { force: true });
  }

  function touch(name: string, size: number): void {
    bytes += size - (sizes.get(name) ?? 0);
    sizes.delete(name);
    sizes.set(name, size);
  }

  return {
    async get(name) {
      // If no other process adds files, a miss needs no file system access.
      if (!isShared && !sizes.has(name)) return null;
      const found = await readFile(join(folder, name)).catch(() => null);
      if (found) touch(name, found.byteLength);
      else if (sizes.has(name)) await drop(name);
      return found;
    },
    async put(name, content) {
      if (content.byteLength > maxBytes) return;
      const unfinished = join(folder, `.${name}.${process.pid}`);
      await writeFile(unfinished, content);
      await rename(unfinished, join(folder, name));
      touch(name, content.byteLength);
      for (const oldest of sizes.keys()) {
        if (bytes <= maxBytes) break;
        await drop(oldest);
      }
    },
    async forget(versions) {
      const gone = new Set(versions);
      const kept = isShared ? await readdir(folder) : [...sizes.keys()];
      const names = kept.filter((name) => gone.has(name.slice(0, VERSION_LENGTH)));
      await Promise.all(names.map(drop));
    },
  };
}

async function readSizes(folder: string): Promise<Map<string, number>> {
  const files: { name: string; size: number; usedAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (!found?.isFile()) continue;
    // Left over from an interrupted write.
    if (name.startsWith(".")) await rm(join(folder, name), { force: true });
    else files.push({ name, size: found.size, usedAt: found.mtimeMs });
  }
  files.sort((a, b) => a.usedAt - b.usedAt);
  return new Map(files.map(({ name, size }) => [name, size]));
}
