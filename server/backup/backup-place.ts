import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BackupTarget } from "../configuration/backup-settings.ts";
import { BACKUP_NAME, INVENTORY, type KeptBackups } from "./kept-backups.ts";

/** The client for S3 is only loaded where there is one. */
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
    // Written where it stays.
    keep: async () => {},
    fetch: async () => {},
    async remove(name) {
      // Without its list it is no backup any more, whatever is left of it.
      await rm(join(folder, name, INVENTORY), { force: true });
      await rm(join(folder, name), { recursive: true, force: true });
    },
    close: () => {},
  };
}

/** What a killed one left behind. */
async function removeHalves(folder: string): Promise<void> {
  const halves = readdirSync(folder).filter(
    (name) => name.endsWith(".unfinished") && BACKUP_NAME.test(name.slice(0, -".unfinished".length)),
  );
  for (const name of halves) await rm(join(folder, name), { recursive: true, force: true });
}
