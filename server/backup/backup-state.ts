import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";

const FILE = "last-backup.json";

const State = v.object({
  /** When backups began to be wanted: their age is counted from then until there is one. */
  since: v.string(),
  /** The last one that was restored to prove it. */
  last: v.nullable(
    v.object({
      name: v.string(),
      madeAt: v.string(),
      files: v.number(),
      bytes: v.number(),
      /** Rows that were read from it when it was restored. */
      rows: v.number(),
      /** Uploaded files that were lost before it was made. */
      missing: v.number(),
      seconds: v.number(),
    }),
  ),
  /** Why the one after that failed, in words for the operator; null where none did. */
  failure: v.nullable(
    v.object({
      at: v.string(),
      reason: v.string(),
      /** Whether it is that the last one is not where it was put. */
      isAway: v.optional(v.boolean()),
    }),
  ),
  /** The folder of this machine that the last one was put into. */
  folder: v.optional(v.string()),
});

/** How the backups by schedule go; kept in the data folder, so that a restart knows and every process can tell. */
export type BackupState = v.InferOutput<typeof State>;

/** Null where no backup was wanted yet. */
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
 * For a clock that was far ahead and set back: what is noted at a time that is yet to come happened now, at the latest, or
 * its age would stand still until then. It is written down: a restart would begin to wait anew.
 */
export function forgetFuture(dataDir: string, now = Date.now()): void {
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

/** Milliseconds since the last proven backup began, or since there should have been one. */
export function backupAge({ last, since }: BackupState, now = Date.now()): number {
  return Math.max(0, now - Date.parse(last?.madeAt ?? since));
}
