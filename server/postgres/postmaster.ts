import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { StartError } from "../configuration/start-error.ts";
import { pathFor } from "./cluster.ts";
import type { SystemUser } from "./database-user.ts";
import { toOptions } from "./settings.ts";
import { spawnWatched } from "./spawn-watched.ts";

const LOG_LIMIT = 4 * 1024 * 1024;
/** A recovery that is interrupted starts over, so it is not given up on while it may still end. */
const READY_WITHIN_MS = 24 * 60 * 60_000;
const TELL_EVERY_MS = 60_000;
const LEFTOVER_ENDS_WITHIN_MS = 15_000;
const STILL_ENDING = /lock file .* already exists|shared memory block .* still in use/;

/** Why it ended. Excludes the message that clients get when they connect too early. */
const FATAL = /(FATAL|PANIC):(?!\s*the database system is )/;

/** A running PostgreSQL. */
export type Postmaster = {
  pid: number;
  /** Resolves when the process has ended, for whatever reason. */
  exited: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, and everything committed is on disk. */
  stop(): Promise<void>;
};

/** Options for running one cluster. */
export type PostmasterOptions = {
  program: string;
  folder: string;
  logFile: string;
  user: SystemUser | null;
  settings: Record<string, string>;
  /** Receives progress lines for the operator. */
  report?: Log;
};

/**
 * Starts PostgreSQL on a cluster and resolves when it accepts connections, after crash recovery if needed, which may take
 * long: it reads all that was written since the last checkpoint. Waits for an instance left over from a killed start that
 * is still shutting down.
 */
export async function runPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const deadline = performance.now() + LEFTOVER_ENDS_WITHIN_MS;
  for (;;) {
    try {
      return await tryPostmaster(options);
    } catch (error) {
      if (performance.now() > deadline || !STILL_ENDING.test((error as Error).message)) throw error;
      await sleep(100);
    }
  }
}

async function tryPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const log = openLog(options.logFile);
  const logStart = statSync(options.logFile).size;
  const { program, folder, user, settings } = options;
  const child = spawnWatched([program, "-D", pathFor(folder, user), ...toOptions(settings)], {
    cwd: folder,
    user,
    outputs: [log, log],
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = () => {
    child.stdin?.destroy();
    return exited;
  };
  if (!(await becomesReady(child, options, exited))) {
    await stop();
    throw new StartError(
      `PostgreSQL did not start: ${readReason(options.logFile, logStart)} (${options.logFile} has the rest)`,
    );
  }
  return { pid: child.pid as number, exited, stop };
}

/** PostgreSQL writes `ready` to the eighth line of its pid file; the first line tells a stale file from ours. */
async function becomesReady(
  child: ChildProcess,
  { folder, logFile, report }: PostmasterOptions,
  exited: Promise<void>,
): Promise<boolean> {
  let alive = true;
  void exited.then(() => {
    alive = false;
  });
  const began = performance.now();
  let told = 0;
  for (let ms = 0; alive && ms < READY_WITHIN_MS; ms = performance.now() - began) {
    const lines = readLines(join(folder, "postmaster.pid"));
    if (lines[0] === String(child.pid) && lines[7]?.trim() === "ready") return true;
    const minutes = Math.floor(ms / TELL_EVERY_MS);
    if (minutes > told) {
      told = minutes;
      report?.(
        logText`PostgreSQL is still recovering, after ${minutes} min; ${fromOperator(logFile)} says how far it is.`,
        "warn",
      );
    }
    await sleep(10);
  }
  return false;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) renameSync(file, `${file}.old`);
  return openSync(file, "a", 0o600);
}

function readReason(file: string, from: number): string {
  const lines = readFileSync(file).subarray(from).toString("utf8").trim().split("\n");
  const fatal = lines.find((line) => FATAL.test(line)) ?? lines.at(-1) ?? "";
  return fatal.replace(/^.*?(FATAL|PANIC):\s*/, "") || "it ended without a word";
}
