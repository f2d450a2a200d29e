/** A place where backups are kept, each named after the time when it began. */
export type KeptBackups = {
  /** Complete backups, oldest first. */
  list(): Promise<string[]>;
  /** The folder, not yet existing, in which to write and verify the backup of this name. */
  folderOf(name: string, work: string): string;
  /** Stores the backup written there. */
  keep(name: string, folder: string): Promise<void>;
  /** Copies a stored backup into a local folder, if it is not in one already. */
  fetch(name: string, folder: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
};

/** Lists a backup's contents. Written last: a folder without it is not a complete backup. */
export const INVENTORY = "backup.json";

/** Such as `2026-11-22T04-00-00Z`; names sort by time. */
export const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

export function backupName(now: Date): string {
  return `${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

/** When the backup of that name began. */
export function backupTime(name: string): Date {
  const [day, time = ""] = name.split("T");
  return new Date(`${day}T${time.replaceAll("-", ":")}`);
}
