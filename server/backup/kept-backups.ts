/** Where backups are kept, each under the time when it began. */
export type KeptBackups = {
  /** The whole ones, the oldest first. */
  list(): Promise<string[]>;
  /** Where a backup of this name is written, and read again to prove it: a folder that is not there yet. */
  folderOf(name: string, work: string): string;
  /** Takes what was written there. */
  keep(name: string, folder: string): Promise<void>;
  /** Puts a kept one into a folder of this machine, where it is not in one. */
  fetch(name: string, folder: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
};

/** Names what a backup holds. Written last: a folder without it is no whole backup. */
export const INVENTORY = "backup.json";

/** Such as `2026-11-22T04-00-00Z`: they sort by time. */
export const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

export function backupName(now: Date): string {
  return `${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

/** When the backup of that name began. */
export function backupTime(name: string): Date {
  const [day, time = ""] = name.split("T");
  return new Date(`${day}T${time.replaceAll("-", ":")}`);
}
