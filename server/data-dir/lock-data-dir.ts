import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../start-error.ts";

/** A start whose npm was killed notices that within half a second and ends: it is waited for. */
const LEFTOVER_ENDS_WITHIN_MS = 3_000;

/** The data folder, ours alone until released or until this process ends. */
export type DataDirLock = {
  /** Tells a second start where the first one is found. */
  describe(address: string): void;
  release(): void;
};

/**
 * Takes the data folder for this process. The kernel holds the lock (SQLite's exclusive transaction is an `fcntl`
 * lock), so that a kill -9 frees it at once and no stale process id has to be guessed about.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  makeFolder(dataDir);
  const note = join(dataDir, "running");
  const lock = new DatabaseSync(join(dataDir, "lock"), { timeout: LEFTOVER_ENDS_WITHIN_MS });
  try {
    lock.exec("pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    lock.close();
    if (!/locked/.test((error as Error).message)) throw error;
    throw new StartError(
      `The data folder ${dataDir} is in use by ${readHolder(note)}: stop that one first, or set DATA_DIR to another folder.`,
    );
  }
  const describe = (address: string) =>
    writeFileSync(note, `process ${process.pid}${address && ` at ${address}`}`);
  describe("");
  return { describe, release: () => lock.close() };
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(
      `DATA_DIR is ${dataDir}, and that folder cannot be made: ${(error as Error).message}.`,
    );
  }
}

function readHolder(note: string): string {
  try {
    return readFileSync(note, "utf8");
  } catch {
    return "another process";
  }
}
