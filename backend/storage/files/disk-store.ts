import { constants } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { areKept } from "./kept-files.ts";
import { MissingFileError, type ObjectStore } from "./object-store.ts";
import { syncToDisk } from "./sync-to-disk.ts";

/** Path of a version in a disk store, which spreads files over 256 folders by their first two characters. */
export function pathOnDisk(folder: string, version: string): string {
  return join(folder, version.slice(0, 2), version);
}

/** An object store in a local folder. */
export function createDiskStore(folder: string): ObjectStore {
  const place = (version: string) => pathOnDisk(folder, version);

  async function ensureFolder(version: string): Promise<string> {
    const shard = dirname(place(version));
    if (await mkdir(shard, { recursive: true })) await syncToDisk(folder);
    return shard;
  }

  return {
    async adopt(path, version) {
      const on = await ensureFolder(version);
      await rename(path, place(version));
      await syncToDisk(on);
    },
    async read(version, range) {
      const handle = await open(place(version)).catch(asMissing);
      return handle.createReadStream(range ? { start: range.start, end: range.end } : {});
    },
    async readWhole(version, size) {
      const handle = await open(place(version)).catch(asMissing);
      // Not from Node's shared pool, all of which a small file would keep from being freed.
      const bytes = Buffer.allocUnsafeSlow(size);
      const { bytesRead } = await handle.read(bytes).finally(() => handle.close());
      if (bytesRead === size) return bytes;
      throw new Error("the file is shorter than its object");
    },
    async copy(from, to) {
      const on = await ensureFolder(to);
      // Files are immutable, so two versions may share one by a hard link; not every file system supports that.
      await link(place(from), place(to)).catch((cause) =>
        isMissing(cause) ? asMissing(cause) : copyContents(place(from), place(to)),
      );
      await syncToDisk(on);
    },
    async remove(versions) {
      if (areKept(folder)) return;
      for (const version of versions) await rm(place(version), { force: true });
    },
    async *olderThan(seconds) {
      const latest = Date.now() - seconds * 1000;
      for (const name of await readdir(folder).catch(() => [])) {
        yield await oldFiles(join(folder, name), latest);
      }
    },
    close: async () => {},
  };
}

async function copyContents(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await syncToDisk(to);
}

async function oldFiles(folder: string, latest: number): Promise<string[]> {
  const names = await readdir(folder);
  const old = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        // ctime, because a hard link keeps the file's mtime: creating the link updates the inode's ctime.
        ({ ctimeMs }) => ctimeMs <= latest,
        () => false,
      ),
    ),
  );
  return names.filter((_, index) => old[index]);
}

function isMissing(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).code === "ENOENT";
}

function asMissing(cause: unknown): never {
  throw isMissing(cause) ? new MissingFileError("the version has no file", { cause }) : cause;
}
