import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import type { BackupSettings } from "../configuration/backup-settings.ts";
import { pruneArchive } from "../wal-archive/prune-archive.ts";
import { openBackupPlace } from "./backup-place.ts";
import type { BackupState } from "./backup-state.ts";
import { backupName, backupTime, type KeptBackups } from "./kept-backups.ts";
import { requireRoom } from "./require-room.ts";
import { restoreBackup } from "./restore-backup.ts";
import { type BackupSource, writeBackup } from "./write-backup.ts";

export type BackupJob = {
  source: BackupSource;
  settings: Pick<BackupSettings, "keep" | "to">;
  /** Folder of the WAL archive, which is kept as long as a backup needs it; null for none. */
  walArchive: string | null;
};

/** A backup that was made and verified. */
export type MadeBackup = NonNullable<BackupState["last"]>;

/** Inside the data folder; removed at the end. */
const WORK = "backup-work";

/** A name with a later time than the newest is really an earlier backup, made while the clock was far ahead. */
const oldestFirst = (names: readonly string[], newest: string) => [
  ...names.filter((name) => name > newest),
  ...names.filter((name) => name <= newest),
];

/**
 * Makes a backup, restores it into a scratch database, reads every row there, and deletes the oldest backups. Only then
 * does it count: one that cannot be restored is deleted, and the earlier ones stay.
 */
export async function makeBackup({ source, settings, walArchive }: BackupJob): Promise<MadeBackup> {
  const began = new Date();
  const startedAt = performance.now();
  const name = backupName(began);
  const work = join(source.dataDir, WORK);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true, mode: 0o700 });
  const place = await openBackupPlace(settings.to);
  try {
    await place.sweep();
    const folder = place.folderOf(name, work);
    await requireRoom(source, folder, { isProven: true });
    const { files, bytes } = await writeBackup(source, folder);
    await place.keep(name, folder);
    const proven = await prove(place, name, work);
    await place.accept(name);
    const names = oldestFirst(await place.list(), name);
    for (const old of names.slice(0, -settings.keep)) await place.remove(old);
    const [oldest] = names.slice(-settings.keep).sort();
    if (walArchive && oldest) await pruneArchive(walArchive, backupTime(oldest));
    const seconds = (performance.now() - startedAt) / 1000;
    return { name, madeAt: began.toISOString(), files, bytes, ...proven, seconds };
  } catch (error) {
    // What cannot be removed now is removed before the next backup, and does not count until then.
    await place.sweep().catch(() => {});
    throw error;
  } finally {
    place.close();
    rmSync(work, { recursive: true, force: true });
  }
}

async function prove(
  place: KeptBackups,
  name: string,
  work: string,
): Promise<Pick<MadeBackup, "rows" | "missing">> {
  const folder = place.folderOf(name, work);
  await place.fetch(name, folder);
  let rows = 0;
  const { missing } = await restoreBackup(folder, join(work, "scratch"), () => {}, {
    filesStay: true,
    inspect: async (client) => {
      rows = await readEveryRow(client);
    },
  });
  return { rows, missing };
}

const TABLES = `
  select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on relnamespace = pg_namespace.oid
  where relkind in ('r', 'm') and nspname not like 'pg\\_temp%'`;

/** Selects all columns, so that TOAST tables are read too; a broken page or row throws. */
async function readEveryRow(client: Client): Promise<number> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES);
  let count = 0;
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) filter (where it::text is not null) as count from only ${name} as it`,
    );
    count += Number(rows[0]?.count ?? 0);
  }
  return count;
}
