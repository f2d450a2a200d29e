import { join } from "node:path";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import type { BackupSettings } from "../configuration/backup-settings.ts";
import { SILENT, startProcess } from "../start-process.ts";
import type { BackupOutcome } from "./backup-process.ts";
import { backupAge, dropFutureTimes, readBackupState, writeBackupState } from "./backup-state.ts";
import { findMissingBackup } from "./find-missing-backup.ts";
import type { BackupJob } from "./make-backup.ts";

const PROGRAM = join(import.meta.dirname, "backup-process.ts");
/** After a failure the next attempt comes sooner than scheduled, but not at once. */
const RETRY_MS = 15 * 60_000;
/** Checks the clock instead of setting one long timer: Node's timers end at 24 days, and do not count time asleep. */
const LOOK_EVERY_MS = 60_000;

/** Makes a backup whenever the last one is as old as the configured interval; returns a function that stops it. */
export function scheduleBackups(
  settings: BackupSettings,
  { source, walArchive }: Pick<BackupJob, "source" | "walArchive">,
  log: Log,
): () => Promise<void> {
  const { dataDir } = source;
  let running: { stop(): void; ended: Promise<void> } | null = null;
  let isStopped = false;
  let isLooking = false;
  if (!readBackupState(dataDir))
    writeBackupState(dataDir, { since: new Date().toISOString(), last: null, failure: null });

  function isDue(): boolean {
    const state = readBackupState(dataDir);
    if (!state) return true;
    const sinceFailure = state.failure ? Date.now() - Date.parse(state.failure.at) : Number.POSITIVE_INFINITY;
    const isOld = state.last === null || backupAge(state) >= settings.everyMs;
    return isOld && sinceFailure >= Math.min(RETRY_MS, settings.everyMs);
  }

  /** Asynchronous, since a network disk that hangs blocks every call to it. */
  async function look(): Promise<void> {
    if (isStopped || running || isLooking) return;
    isLooking = true;
    const isAway = await noteAbsence(settings, dataDir, log).catch(() => false);
    isLooking = false;
    if (!isStopped && !isAway && isDue()) begin();
  }

  function begin(): void {
    const run = runProcess({ source, settings, walArchive });
    const ended = run.outcome
      .then((outcome) => {
        if (!isStopped) note({ dataDir, settings }, outcome, log);
      })
      .catch((error: Error) =>
        log(logText`The backup's record could not be written: ${quoteScrubbed(error.message)}`, "error"),
      )
      .finally(() => {
        running = null;
      });
    running = { stop: run.stop, ended };
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  void look();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    running?.stop();
    await running?.ended;
  };
}

function runProcess(job: BackupJob): { outcome: Promise<BackupOutcome>; stop(): void } {
  const { child, ended } = startProcess(PROGRAM, SILENT);
  const outcome = new Promise<BackupOutcome>((resolve) => {
    child?.once("message", (said) => resolve(said as BackupOutcome));
    void ended.then((how) => resolve({ failure: `its process ended (${how})`, isOurs: true }));
  });
  child?.send(job);
  return { outcome, stop: () => void (child?.connected && child.disconnect()) };
}

/** Checks whether the last backup is still in its place, logs when that changes, and records it in the state. */
async function noteAbsence(settings: BackupSettings, dataDir: string, log: Log): Promise<boolean> {
  dropFutureTimes(dataDir);
  const found = readBackupState(dataDir);
  const folder = found && (await findMissingBackup(settings, found));
  const state = readBackupState(dataDir);
  const wasAway = state?.failure?.isAway === true;
  if (state && folder && !wasAway) {
    const name = fromOperator(state.last?.name ?? "");
    const reason = logText`${fromOperator(folder)} does not contain the backup ${name} that was written there. Mount its disk, or remove last-backup.json in the data folder to start over.`;
    writeBackupState(dataDir, { ...state, failure: { at: new Date().toISOString(), reason, isAway: true } });
    log(logText`No backup was made: ${reason}`, "error");
  }
  if (state && !folder && wasAway) {
    writeBackupState(dataDir, { ...state, failure: null });
    log(logText`The backups are available again`);
  }
  return Boolean(folder);
}

type Schedule = { dataDir: string; settings: BackupSettings };

function note({ dataDir, settings: { to } }: Schedule, outcome: BackupOutcome, log: Log): void {
  const before = readBackupState(dataDir) ?? { since: new Date().toISOString(), last: null };
  if ("made" in outcome) {
    const { name, rows, bytes, missing } = outcome.made;
    const { since } = before;
    const place = "folder" in to ? { folder: to.folder } : {};
    writeBackupState(dataDir, { since, last: outcome.made, failure: null, ...place });
    const megabytes = Math.ceil(bytes / 1e6);
    log(
      logText`The backup ${fromOperator(name)} was made and verified by restoring it: ${megabytes} MB, ${rows} rows`,
    );
    if (missing > 0)
      log(logText`${missing} uploaded files were already missing when that backup was made`, "warn");
    return;
  }
  const reason: LogText = outcome.isOurs ? fromOperator(outcome.failure) : quoteScrubbed(outcome.failure);
  const last = before.last ? fromOperator(before.last.name) : logText`none`;
  writeBackupState(dataDir, { ...before, failure: { at: new Date().toISOString(), reason } });
  log(logText`The backup failed; the last good one is ${last}: ${reason}`, "error");
}
