import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";

const FILE = "last-backup.json";

const State = v.object({
  /** When backups were first scheduled; until the first one succeeds, the backup age counts from here. */
  since: v.string(),
  /** The last backup that was verified by restoring it. */
  last: v.nullable(
    v.object({
      name: v.string(),
      madeAt: v.string(),
      files: v.number(),
      bytes: v.number(),
      /** Rows read during the test restore. */
      rows: v.number(),
      /** Uploaded files that were already missing when the backup was made. */
      missing: v.number(),
      seconds: v.number(),
    }),
  ),
  /** Why the latest attempt since then failed, as a message for the operator; null if none did. */
  failure: v.nullable(
    v.object({
      at: v.string(),
      reason: v.string(),
      /** Whether the failure is that the last backup is missing from its folder. */
      isAway: v.optional(v.boolean()),
    }),
  ),
  /** The local folder that holds the last backup. */
  folder: v.optional(v.string()),
});

/** State of scheduled backups; kept in the data folder so that it survives restarts and every process can read it. */
export type BackupState = v.InferOutput<typeof State>;

/** Null if backups were never scheduled. */
export function readBackupState(dataDir: string): BackupState | null {
  try {
    const parsed = v.safeParse(State, JSON.parse(readFileSync(join(dataDir, FILE), "utf8")));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

export function writeBackupState(dataDir: string, state: BackupState): void {
  const file = join(dataDir, FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 1)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

/**
 * Clamps recorded times to now, in case the clock was far ahead and has been set back: otherwise the backup's age would
 * stand still until then. The result is saved, so that a restart does not begin the wait again.
 */
export function dropFutureTimes(dataDir: string, now = Date.now()): void {
  const state = readBackupState(dataDir);
  if (!state) return;
  const notAfterNow = (time: string) => (Date.parse(time) > now ? new Date(now).toISOString() : time);
  const { since, last, failure } = state;
  const past: BackupState = {
    ...state,
    since: notAfterNow(since),
    last: last && { ...last, madeAt: notAfterNow(last.madeAt) },
    failure: failure && { ...failure, at: notAfterNow(failure.at) },
  };
  if (!isDeepStrictEqual(past, state)) writeBackupState(dataDir, past);
}

/** Milliseconds since the last verified backup began, or since backups were first scheduled. */
export function backupAge({ last, since }: BackupState): number {
  return Math.max(0, Date.now() - Date.parse(last?.madeAt ?? since));
}
