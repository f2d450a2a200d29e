/** A place where backups are kept, each named after the time when it began. */
export type KeptBackups = {
  /** Verified backups, oldest first. */
  list(): Promise<string[]>;
  /** The folder, not yet existing, in which to write and verify the backup of this name. */
  folderOf(name: string, work: string): string;
  /** Stores the backup written there, which does not count yet. */
  keep(name: string, folder: string): Promise<void>;
  /**
   * Copies a stored backup into a local folder, if it is not in one already. `check` gets its size before anything is
   * written, and may refuse it by throwing.
   */
  fetch(name: string, folder: string, check?: (bytes: number) => Promise<void>): Promise<void>;
  /** Makes a stored backup count, once it is verified. */
  accept(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Removes what failed and interrupted backups left behind; fails if the place cannot be used. */
  sweep(): Promise<void>;
  close(): void;
};

/** Lists a backup's contents. Written last: a folder without it is not a complete backup. */
export const INVENTORY = "backup.json";

/** Ends the name of a stored backup that is not verified yet, or in S3 the name of a mark beside it. */
export const UNPROVEN = ".unproven";

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
