import { readdirSync } from "node:fs";
import { lstat, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { StartError } from "../configuration/start-error.ts";
import { type BackupSource, listUploads } from "./write-backup.ts";

/** For what the site and its database write meanwhile. */
const RESERVE = 512 * 1024 ** 2;

/**
 * Before anything is written into the work folder, which is on the site's own disk: a full one stops the site. It holds
 * the scratch database, beside the backup itself if that is written to the same disk.
 * @throws StartError if the disk has no room for them
 */
export async function requireRoom(
  work: string,
  backups: string,
  { dataDir, filesInS3 }: BackupSource,
): Promise<void> {
  const database = await sumOf(join(dataDir, "postgres"), listDatabase(dataDir));
  const isSameDisk = (await stat(work)).dev === (await stat(backups)).dev;
  const uploads = isSameDisk && !filesInS3 ? await sumOf(dataDir, listUploads(dataDir)) : 0;
  const needed = database + (isSameDisk ? database + uploads : 0) + RESERVE;
  const { bavail, bsize } = await statfs(work);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new StartError(
    `a backup and its proof need ${inMegabytes(needed)} in ${work}, and only ${inMegabytes(free)} are free there.`,
  );
}

/** The write-ahead log is left out: of that, a backup contains only what was written while it was made. */
function listDatabase(dataDir: string): string[] {
  const folder = join(dataDir, "postgres");
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => !path.startsWith("pg_wal"),
  );
}

/** Files that are gone by now count as empty. */
async function sumOf(folder: string, paths: string[]): Promise<number> {
  const sizeOf = async (path: string) => {
    const found = await lstat(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    return found?.size ?? 0;
  };
  return await Readable.from(paths)
    .map(sizeOf, { concurrency: 16 })
    .reduce((sum, size) => sum + size, 0);
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
