import { join } from "node:path";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { withClient } from "#backend/postgres/with-client.ts";
import { ARCHIVE_SILENT_AFTER } from "#domain/operation/operation-report.ts";
import type { WalArchiveSettings } from "../configuration/backup-settings.ts";
import { StartError } from "../configuration/start-error.ts";
import { SILENT, type StartedProcess, startProcess } from "../start-process.ts";
import type { ArchiveWord } from "./archive-process.ts";
import { ARCHIVE_NAME } from "./receive-wal.ts";

const PROGRAM = join(import.meta.dirname, "archive-process.ts");
const AGAIN_AFTER_MS = 1_000;
const BEGINS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 1_000;
/** A network disk may hang for as long as the connection is down. */
const NO_ANSWER = logText`its disk does not respond`;

/**
 * Runs a process that archives WAL, and logs when it fails; returns a function that ends it, to be called after
 * PostgreSQL has ended. @throws StartError if archiving does not start
 */
export async function keepArchive(
  { folder, commitsWait }: WalArchiveSettings,
  url: string,
  log: Log,
): Promise<() => Promise<void>> {
  let isEnding = false;
  const { promise: begun, resolve: hasBegun, reject } = Promise.withResolvers<void>();
  const failsToBegin = (reason: LogText) =>
    reject(new StartError(`WAL_ARCHIVE_TO cannot be used: ${reason}`));
  const silence = watchSilence(commitsWait, log);
  const handleWord = (word: ArchiveWord) => {
    if ("kept" in word) {
      silence.end();
      return hasBegun();
    }
    const reason = word.isOurs ? fromOperator(word.failure) : quoteScrubbed(word.failure);
    failsToBegin(reason);
    silence.explain(reason);
  };
  const start = (): StartedProcess => {
    const started = startProcess(PROGRAM, SILENT);
    const { child, ended } = started;
    child?.on("message", (word) => handleWord(word as ArchiveWord));
    child?.send({ url, folder });
    void ended.then((how) => {
      if (!child) handleWord({ failure: how, isOurs: true });
      setTimeout(() => {
        if (!isEnding) current = start();
      }, AGAIN_AFTER_MS).unref();
    });
    return started;
  };
  let current = start();
  const stop = async () => {
    isEnding = true;
    silence.close();
    if (current.child?.connected) current.child.disconnect();
    await current.ended;
  };
  const late = setTimeout(() => failsToBegin(logText`it does not start`), BEGINS_WITHIN_MS);
  try {
    await begun;
    return stop;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/**
 * Logs once when no report arrived for a while, and once when they resume. Counts timer ticks instead of elapsed time,
 * since this process may have been suspended too.
 */
function watchSilence(commitsWait: boolean, log: Log) {
  // Not before the first report.
  let turns = Number.NEGATIVE_INFINITY;
  let isTold = false;
  let reason = NO_ANSWER;
  const effect = commitsWait ? logText`writes wait for it` : logText`it is kept until it can be`;
  const timer = setInterval(() => {
    turns += 1;
    if (isTold || turns * LOOK_EVERY_MS <= ARCHIVE_SILENT_AFTER * 1_000) return;
    isTold = true;
    log(logText`The write-ahead log is not archived, ${effect}: ${reason}`, "error");
  }, LOOK_EVERY_MS).unref();
  return {
    explain(why: LogText) {
      reason = why;
    },
    end() {
      if (isTold) log(logText`The write-ahead log is archived again`);
      isTold = false;
      turns = 0;
      reason = NO_ANSWER;
    },
    close: () => clearInterval(timer),
  };
}

/**
 * Drops the slot of an archive that is no longer configured; otherwise PostgreSQL would keep WAL for it until the disk
 * is full.
 */
export async function forgetArchive(url: string): Promise<void> {
  await withClient(url, "archive", (client) =>
    client.query(
      "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active",
      [ARCHIVE_NAME],
    ),
  );
}
