import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BackupTarget } from "../configuration/backup-settings.ts";
import { BACKUP_NAME, INVENTORY, type KeptBackups } from "./kept-backups.ts";

/** Loads the S3 client only when backups go to S3. */
export async function openBackupPlace(target: BackupTarget): Promise<KeptBackups> {
  if ("folder" in target) return openFolder(target.folder);
  const { openS3Place } = await import("./s3-place.ts");
  return openS3Place(target);
}

function openFolder(folder: string): KeptBackups {
  return {
    async list() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeHalves(folder);
      return readdirSync(folder)
        .filter((name) => BACKUP_NAME.test(name) && existsSync(join(folder, name, INVENTORY)))
        .sort();
    },
    folderOf: (name) => join(folder, name),
    // Already written in its final place.
    keep: async () => {},
    fetch: async () => {},
    async remove(name) {
      // Removing the inventory first means that whatever is left no longer counts as a backup.
      await rm(join(folder, name, INVENTORY), { force: true });
      await rm(join(folder, name), { recursive: true, force: true });
    },
    close: () => {},
  };
}

/** Removes what killed backups left behind. */
async function removeHalves(folder: string): Promise<void> {
  const halves = readdirSync(folder).filter(
    (name) => name.endsWith(".unfinished") && BACKUP_NAME.test(name.slice(0, -".unfinished".length)),
  );
  for (const name of halves) await rm(join(folder, name), { recursive: true, force: true });
}
