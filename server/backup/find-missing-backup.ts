import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BackupSettings } from "../configuration/backup-settings.ts";
import type { BackupState } from "./backup-state.ts";
import { BACKUP_NAME, INVENTORY } from "./kept-backups.ts";

/**
 * The folder the last backup was put into, if neither that backup nor a later one is there any more: its disk is
 * probably not mounted, and the next backup would go to the disk below the mount point. Null if all is well.
 */
export async function findMissingBackup(
  { to }: Pick<BackupSettings, "to">,
  { last, folder }: Pick<BackupState, "last" | "folder">,
): Promise<string | null> {
  if (!("folder" in to) || !last || folder !== to.folder) return null;
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => BACKUP_NAME.test(each) && each >= last.name))
    if (await isWhole(join(folder, name))) return null;
  return folder;
}

const isWhole = (backup: string) =>
  access(join(backup, INVENTORY)).then(
    () => true,
    () => false,
  );
