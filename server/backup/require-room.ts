import { existsSync, readdirSync } from "node:fs";
import { lstat, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { StartError } from "../configuration/start-error.ts";
import { type BackupSource, listUploads } from "./write-backup.ts";

/** For what the site and its database write meanwhile. */
const RESERVE = 512 * 1024 ** 2;

/**
 * Before a backup is written: what fills the disk of the data folder stops the site. On that disk are the scratch
 * database of a backup that is proven, and the backup itself if `folder` is there.
 * @throws StartError if the disk has no room for them
 */
export async function requireRoom(
  { dataDir, filesInS3 }: BackupSource,
  folder: string,
  { isProven }: { isProven: boolean },
): Promise<void> {
  const isSameDisk = (await stat(dataDir)).dev === (await stat(nearest(folder))).dev;
  if (!isSameDisk && !isProven) return;
  const database = await sumOf(join(dataDir, "postgres"), listDatabase(dataDir));
  const uploads = isSameDisk && !filesInS3 ? await sumOf(dataDir, listUploads(dataDir)) : 0;
  const needed = (isProven ? database : 0) + (isSameDisk ? database + uploads : 0) + RESERVE;
  await requireFree(dataDir, needed, isProven ? "a backup and its proof need" : "The backup needs");
}

/** @throws StartError if the folder's disk has less; `what` begins the sentence */
export async function requireFree(folder: string, needed: number, what: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new StartError(
    `${what} ${inMegabytes(needed)} on the disk of ${folder}, and only ${inMegabytes(free)} are free there.`,
  );
}

/** The folder, or that in which it will be made. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder));
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
