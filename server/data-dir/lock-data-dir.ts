import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../configuration/start-error.ts";
import { LEFTOVER_ENDS_WITHIN_MS } from "../http/listen-on.ts";
import { makeFolder } from "./make-folder.ts";
import { writeFile } from "./write-file.ts";

/** Marks a data folder into which a backup is being restored. */
export const UNFINISHED_RESTORE = "restore-unfinished";

/** In the data folder, the only one that a service may write to: a backup while it is downloaded and restored. */
export const FETCHED = "restore-fetched";

/** Another process has locked the data folder. */
export class DataDirInUse extends StartError {}

/** Exclusive use of the data folder, until released or until this process ends. */
export type DataDirLock = {
  /** Records the address of this site for a second start to report. */
  describe(address: string): void;
  release(): void;
};

/**
 * Locks the data folder for this process. The kernel holds the lock (SQLite's exclusive transaction is an `fcntl`
 * lock), so that a kill -9 releases it at once and no stale process id has to be checked.
 */
export function lockDataDir(dataDir: string, { forRestore = false } = {}): DataDirLock {
  makeDataDir(dataDir);
  const note = join(dataDir, "running");
  const lock = takeLock(dataDir, note);
  try {
    if (!forRestore) requireRestored(dataDir);
  } catch (error) {
    lock.close();
    throw error;
  }
  const describe = (address: string) =>
    writeFile(note, `process ${process.pid}${address && ` at ${address}`}`);
  describe("");
  return { describe, release: () => lock.close() };
}

/** @throws StartError if a restore into the folder was interrupted */
export function requireRestored(dataDir: string): void {
  const left = [UNFINISHED_RESTORE, FETCHED].find((name) => existsSync(join(dataDir, name)));
  if (!left) return;
  const place = left === FETCHED ? join(dataDir, FETCHED) : dataDir;
  throw new StartError(
    `A backup was not restored to its end in ${place}: run npm run restore -- FOLDER again, or remove that folder.`,
  );
}

/** Also waits for another process that is creating the folder's first lock. */
function takeLock(dataDir: string, note: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, "lock"), { timeout: LEFTOVER_ENDS_WITHIN_MS });
    lock.exec("pragma locking_mode = exclusive; begin exclusive");
    return lock;
  } catch (error) {
    lock?.close();
    const { message } = error as Error;
    if (/locked/.test(message))
      throw new DataDirInUse(
        `The data folder ${dataDir} is in use by ${readHolder(note)}: stop that one first, or set DATA_DIR to another folder.`,
      );
    throw new StartError(
      `The data folder ${dataDir} cannot be written: ${message}. Set DATA_DIR to a folder with room that this user may write.`,
    );
  }
}

/** The address of the site that is using the folder; null if there is none or it is not listening yet. */
export function findRunningAddress(dataDir: string): string | null {
  if (!existsSync(join(dataDir, "lock"))) return null;
  const lock = new DatabaseSync(join(dataDir, "lock"), { timeout: 0 });
  try {
    lock.exec("begin exclusive; rollback");
    return null;
  } catch {
    return / at (\S+)$/.exec(readHolder(join(dataDir, "running")))?.[1] ?? null;
  } finally {
    lock.close();
  }
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw new StartError(
      `DATA_DIR is ${dataDir}, and that folder cannot be made: ${(error as Error).message}.`,
    );
  }
}

function readHolder(note: string): string {
  try {
    return readFileSync(note, "utf8") || "another process";
  } catch {
    return "another process";
  }
}
