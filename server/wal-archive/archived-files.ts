import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Log } from "#backend/log/log.ts";
import { logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { createDiskStore, pathOnDisk } from "#backend/storage/files/disk-store.ts";
import type { ObjectStore } from "#backend/storage/files/object-store.ts";
import { readLater } from "#backend/storage/files/read-later.ts";
import type { WalArchiveSettings } from "../configuration/backup-settings.ts";
import { requireInArchive } from "./archive-folder.ts";

/** Archived along with the WAL, which contains only the files' names. */
const FOLDER = "files";

/**
 * A file store that puts each file into the archive before the upload is confirmed. Deleted files stay there until a
 * backup no longer needs them.
 */
export function archiveFiles(
  store: ObjectStore,
  { folder, commitsWait }: WalArchiveSettings,
  log: Log,
): ObjectStore {
  const archive = join(folder, FOLDER);
  const keep = async (version: string, content: Readable) => {
    try {
      await requireInArchive(folder);
      await put(archive, version, content);
      // The disk may have been unmounted meanwhile, and the file written to the folder at its mount point.
      await requireInArchive(folder, pathOnDisk(archive, version));
    } catch (error) {
      const effect = commitsWait ? logText`refused` : logText`stored on this machine only`;
      const reason = quoteScrubbed((error as Error).message);
      log(logText`An uploaded file could not be archived and was ${effect}: ${reason}`, "error");
      if (commitsWait) throw error;
    } finally {
      // What could not be archived may not have been read.
      content.destroy();
    }
  };
  const { read, readWhole, remove, olderThan, close } = store;
  // Not spread: the compiler asks about each new method, which may write past the archive.
  return {
    read,
    readWhole,
    remove,
    olderThan,
    close,
    async adopt(path, version) {
      await keep(version, readLater(path));
      await store.adopt(path, version);
    },
    async copy(from, to) {
      await keep(to, await read(from));
      await store.copy(from, to);
    },
  };
}

/** Written atomically: the file gets its name only once it is complete and synced. */
async function put(folder: string, version: string, content: Readable): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const half = join(folder, `${randomUUID()}.unfinished`);
  try {
    await pipeline(content, createWriteStream(half, { mode: 0o600, flush: true }));
    await createDiskStore(folder).adopt(half, version);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}

/** Restores those of these files that a restored backup lacks. */
export async function restoreFiles(archive: string, files: string, versions: string[]): Promise<void> {
  for (const version of versions) {
    const source = pathOnDisk(join(archive, FOLDER), version);
    if (existsSync(pathOnDisk(files, version)) || !existsSync(source)) continue;
    await put(files, version, readLater(source));
  }
}

/** Deletes files that were archived before this time: all backups since then contain them. */
export async function pruneFiles(archive: string, before: Date): Promise<void> {
  const folder = join(archive, FOLDER);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await stat(file)).mtimeMs < before.getTime()) await rm(file, { force: true });
  }
}
