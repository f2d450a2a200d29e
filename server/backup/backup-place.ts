import { existsSync, readdirSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncToDisk } from "#backend/storage/files/sync-to-disk.ts";
import type { BackupTarget } from "../configuration/backup-settings.ts";
import { makeFolder } from "../data-dir/make-folder.ts";
import { BACKUP_NAME, INVENTORY, type KeptBackups, UNPROVEN } from "./kept-backups.ts";

/** Loads the S3 client only when backups go to S3. */
export async function openBackupPlace(target: BackupTarget): Promise<KeptBackups> {
  if ("folder" in target) return openFolder(target.folder);
  const { openS3Place } = await import("./s3-place.ts");
  return openS3Place(target);
}

function openFolder(folder: string): KeptBackups {
  return {
    async list() {
      return readdirSync(folder)
        .filter((name) => BACKUP_NAME.test(name) && existsSync(join(folder, name, INVENTORY)))
        .sort();
    },
    folderOf: (name) => join(folder, name + UNPROVEN),
    // Already written there.
    keep: async () => {},
    fetch: async () => {},
    async accept(name) {
      await rename(join(folder, name + UNPROVEN), join(folder, name));
      await syncToDisk(folder);
    },
    async remove(name) {
      // Removing the inventory first means that whatever is left no longer counts as a backup.
      await rm(join(folder, name, INVENTORY), { force: true });
      await rm(join(folder, name), { recursive: true, force: true });
    },
    async sweep() {
      makeFolder(folder);
      for (const name of readdirSync(folder).filter(isLeftover))
        await rm(join(folder, name), { recursive: true, force: true });
    },
    close: () => {},
  };
}

const isLeftover = (name: string) =>
  !BACKUP_NAME.test(name) && BACKUP_NAME.test(name.replace(/(\.unproven)?(\.unfinished)?$/, ""));
