import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Client } from "pg";
import type { LogText } from "#backend/log/log-text.ts";
import { withClient } from "#backend/postgres/with-client.ts";
import { pathOnDisk } from "#backend/storage/files/disk-store.ts";
import { StartError } from "../configuration/start-error.ts";
import { FETCHED, lockDataDir, UNFINISHED_RESTORE } from "../data-dir/lock-data-dir.ts";
import { findDatabaseUser } from "../postgres/database-user.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { restoreFiles } from "../wal-archive/archived-files.ts";
import { endOfArchive } from "../wal-archive/end-of-archive.ts";
import { SEGMENT_BYTES } from "../wal-archive/segments.ts";
import { type ContinuingArchive, findArchive, stageArchive } from "../wal-archive/stage-archive.ts";
import {
  copyCounted,
  flushFiles,
  type Inventory,
  type KeptFile,
  readCounted,
  readInventory,
} from "./inventory.ts";
import { requireFree } from "./require-room.ts";
import { chownAll, UPLOADS } from "./write-backup.ts";

/** The result of a restore. */
export type RestoredBackup = {
  madeAt: string;
  files: number;
  /** Storage objects whose files are missing from the backup. */
  missing: number;
  /** When the last transaction in the archived log was committed; null without an archive. */
  until: Date | null;
};

export type RestoreOptions = {
  /** Called with a client once the database has started. */
  inspect?: (client: Client) => Promise<void>;
  /** Verifies the uploaded files where they are instead of copying them: for a restore that is deleted again. */
  filesStay?: boolean;
  /** The folder with the log that continues the backup. */
  walArchive?: string | undefined;
  /** Downloads the backup into the data folder's `FETCHED`, which is removed afterwards. */
  download?: (folder: string) => Promise<void>;
};

const isUpload = (path: string) => path.startsWith(`${UPLOADS}/`);

/** For the log that PostgreSQL begins once it has recovered. */
const NEW_LOG = 4 * SEGMENT_BYTES;

/** The download, and files that the lock leaves in a folder; a folder with nothing else counts as empty. */
const OUR_NOTES = [FETCHED, "lock", "lock-journal", "running"];

/**
 * Restores a backup into an empty data folder: verifies each file's checksum, then starts the database once so that it
 * recovers to the end of the backup or of the archived log. An interrupted restore starts over, and no site starts on
 * it.
 */
export async function restoreBackup(
  folder: string,
  dataDir: string,
  report: (line: LogText) => void,
  { inspect = async () => {}, filesStay = false, walArchive, download }: RestoreOptions = {},
): Promise<RestoredBackup> {
  const fetched = resolve(dataDir, FETCHED);
  const source = download ? fetched : resolve(folder);
  requireEmpty(dataDir);
  // A wrong folder is named before anything is created.
  const read = () => readBackup(source, walArchive);
  const given = download ? null : await read();
  const lock = lockDataDir(dataDir, { forRestore: true });
  try {
    requireEmpty(dataDir);
    if (download || !isInside(source, fetched)) rmSync(fetched, { recursive: true, force: true });
    await download?.(fetched);
    const { inventory, archive } = given ?? (await read());
    // Its marker stays: without it, the rest would count as the operator's own data.
    for (const name of namesIn(dataDir))
      if (name !== UNFINISHED_RESTORE) rmSync(join(dataDir, name), { recursive: true });
    const copied = inventory.files.filter(({ path }) => !filesStay || !isUpload(path));
    await requireFree(dataDir, spaceFor(copied, archive), "The restore needs");
    writeFileSync(join(dataDir, UNFINISHED_RESTORE), "", { flush: true });
    await copyAll(source, dataDir, inventory, { archive, filesStay });
    const files = join(filesStay ? source : dataDir, UPLOADS);
    const { missing, until } = await tryDatabase(dataDir, inventory, report, { inspect, archive, files });
    rmSync(fetched, { recursive: true, force: true });
    rmSync(join(dataDir, UNFINISHED_RESTORE));
    await flushFiles(dataDir, []);
    return { madeAt: inventory.madeAt, files: inventory.files.length, missing, until };
  } finally {
    if (download) rmSync(fetched, { recursive: true, force: true });
    lock.release();
  }
}

function isInside(path: string, folder: string): boolean {
  return existsSync(folder) && !relative(realpathSync(folder), realpathSync(path)).startsWith("..");
}

async function readBackup(source: string, walArchive: string | undefined) {
  const inventory = await readInventory(source);
  return { inventory, archive: walArchive ? findArchive(walArchive, join(source, "postgres")) : null };
}

function namesIn(dataDir: string): string[] {
  return existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !OUR_NOTES.includes(name)) : [];
}

/** @throws StartError if the folder contains anything but an interrupted restore */
function requireEmpty(dataDir: string): void {
  const names = namesIn(dataDir);
  if (names.length === 0 || names.includes(UNFINISHED_RESTORE)) return;
  throw new StartError(
    `The data folder ${dataDir} is not empty, and nothing in it is overwritten: move it away, or set DATA_DIR to another folder.`,
  );
}

function spaceFor(files: KeptFile[], archive: ContinuingArchive | null): number {
  const staged = (archive?.segments.length ?? 0) * SEGMENT_BYTES;
  return files.reduce((sum, { size }) => sum + size, staged + NEW_LOG);
}

/** Copies the backup's files, and stages the archived log beside them. */
async function copyAll(
  source: string,
  dataDir: string,
  { folders, files }: Inventory,
  { archive, filesStay }: { archive: ContinuingArchive | null; filesStay: boolean },
): Promise<void> {
  const stays = (path: string) => filesStay && isUpload(path);
  for (const path of folders) mkdirSync(join(dataDir, path), { recursive: true, mode: 0o700 });
  for (const { path, size, sha256 } of files) {
    if (!existsSync(join(source, path))) throw new StartError(`The backup is broken: it has no ${path}.`);
    const read = stays(path) ? await readCounted(source, path) : await copyCounted(source, dataDir, path);
    if (read.size !== size || read.sha256 !== sha256)
      throw new StartError(`The backup is broken: ${path} has changed.`);
  }
  const cluster = join(dataDir, "postgres");
  if (archive) await stageArchive(archive, cluster);
  const user = findDatabaseUser(join(source, "postgres"));
  if (user) chownAll(cluster, user);
  const copied = files.map(({ path }) => path).filter((path) => !stays(path));
  await flushFiles(dataDir, [...folders, ...copied]);
}

type Trial = {
  inspect: (client: Client) => Promise<void>;
  archive: ContinuingArchive | null;
  /** The folder of the uploaded files. */
  files: string;
};

/** Counts the objects without a file, and returns up to when the log was read. */
async function tryDatabase(
  dataDir: string,
  { filesInS3 }: Inventory,
  report: (line: LogText) => void,
  { inspect, archive, files }: Trial,
): Promise<Pick<RestoredBackup, "missing" | "until">> {
  const database = await startPostgres({ dataDir, report, ...(archive && { recovers: true }) });
  try {
    return await withClient(database.url, "restore", async (client) => {
      await inspect(client);
      const { rows } = await client.query<{ version: string }>(
        "select version from storage.objects where version is not null",
      );
      const until = archive && (await endOfArchive(client, archive));
      if (filesInS3) return { missing: 0, until };
      const isMissing = (version: string) => !existsSync(pathOnDisk(files, version));
      const missing = rows.map(({ version }) => version).filter(isMissing);
      if (archive) await restoreFiles(archive.folder, files, missing);
      return { missing: missing.filter(isMissing).length, until };
    });
  } finally {
    await database.stop();
  }
}
