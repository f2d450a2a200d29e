import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fromOperator, type Sentence, sentence } from "#backend/log/sentence.ts";
import { deriveKey } from "#backend/tokens/derive-key.ts";
import { keepSecret } from "../data-dir/keep-secret.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { findDatabaseUser, type SystemUser } from "./database-user.ts";
import { describeMachine, followMachine } from "./machine-settings.ts";
import { type Postmaster, type PostmasterOptions, runPostmaster } from "./postmaster.ts";
import { startSettings } from "./settings.ts";

/** How to start the embedded PostgreSQL. */
export type PostgresOptions = {
  /** Holds the cluster, its password and its log; when `ephemeral`, the folder that they are in for a while. */
  dataDir?: string;
  /** For tests: a folder in `dataDir` or else the system's own, gone when stopped, and no waiting for the disk. */
  ephemeral?: boolean;
  /** Processes that will use it. */
  workers?: number;
  /** Who must have the log before a commit is confirmed. */
  commitsWaitFor?: string;
  /** It begins from a backup and the log after it, which may take long. */
  recovers?: boolean;
  /** Gets a line of progress for the operator. */
  report?: (line: Sentence) => void;
  /** How many milliseconds to wait before the nth start in a short while. */
  pause?: (tries: number) => number;
};

/** A running embedded PostgreSQL. */
export type EmbeddedPostgres = {
  /** As superuser, database `postgres`, over a Unix socket that only its account may enter. */
  url: string;
  /** As role `authenticator`, whose password is set by whoever creates that role. */
  authenticatorUrl: string;
  authenticatorPassword: string;
  /** The postmaster's process; another one after it had to be restarted. */
  readonly pid: number;
  stop(): Promise<void>;
};

const SMALL_MACHINE = { memory: 1024 ** 3, disk: 10 * 1024 ** 3, workers: 1 };
const QUICK_RESTARTS = 5;
const RESTART_WINDOW_MS = 10 * 60_000;
/** With the start itself it is back within five seconds of its being possible again. */
const LONGEST_PAUSE_MS = 3_000;
const TELL_EVERY_MS = 60_000;
const LONGEST_RECOVERY_MS = 24 * 60 * 60_000;

/** At once, then ever later, but never so that anybody would wait for it who has made room on the disk. */
export function pauseBefore(tries: number): number {
  return Math.min((tries - 1) * 1_000, LONGEST_PAUSE_MS);
}

/**
 * Starts PostgreSQL from the installed package, making its data folder first where there is none. It ends with this
 * process, however that ends, and is started again if it dies on its own.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const report = options.report ?? (() => {});
  const ephemeral = options.ephemeral ?? false;
  const parent = ephemeral
    ? mkdtempSync(join(options.dataDir ?? tmpdir(), "fruit-values-data-"))
    : resolve(options.dataDir ?? "data");
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = join(parent, "postgres");
  const user = findDatabaseUser(folder);
  const binaries = findBinaries(user, report);
  const password = keepSecret(parent, "postgres-password", {
    bytes: 24,
    orElse: 'do as docs/operations.md says ("When something is wrong")',
  });
  await ensureCluster({ folder, parent, user, binaries, password, ephemeral });
  // A test's own, of which there are many at once, takes little.
  const machine = ephemeral ? SMALL_MACHINE : describeMachine(folder, options.workers ?? 1);
  followMachine(folder, machine, user);
  const socketFolder = makeSocketFolder(parent, user);
  const run = await keepRunning(
    {
      program: binaries.postgres,
      folder,
      logFile: join(parent, "postgres.log"),
      user,
      settings: startSettings(socketFolder, { ...options, ephemeral }),
      ...(options.recovers && { readyWithinMs: LONGEST_RECOVERY_MS }),
    },
    report,
    options.pause ?? pauseBefore,
  );
  const authenticatorPassword = deriveKey(password, "authenticatorPassword");
  const url = toUrl("postgres", password, socketFolder);
  writeFileSync(join(parent, "database-url"), `${url}\n`, { mode: 0o600 });
  return {
    url,
    authenticatorUrl: toUrl("authenticator", authenticatorPassword, socketFolder),
    authenticatorPassword,
    get pid() {
      return run.current().pid;
    },
    async stop() {
      await run.stop();
      rmSync(ephemeral ? parent : join(parent, "database-url"), { recursive: true, force: true });
      rmSync(socketFolder, { recursive: true, force: true });
    },
  };
}

/** Both host forms at once: a URL parser wants one before the path, PostgreSQL clients let `?host=` win. */
function toUrl(role: string, password: string, socketFolder: string): string {
  return `postgres://${role}:${password}@localhost/postgres?host=${encodeURIComponent(socketFolder)}`;
}

/** A socket's path may have 107 bytes at most, so it is not in the data folder; the file tells where it was last time. */
function makeSocketFolder(parent: string, user: SystemUser | null): string {
  const note = join(parent, "socket-folder");
  const previous = readIfThere(note);
  if (previous.startsWith(join(tmpdir(), "fruit-values-")))
    rmSync(previous, { recursive: true, force: true });
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-"));
  if (user) chownSync(folder, user.uid, user.gid);
  writeFileSync(note, folder, { mode: 0o600 });
  return folder;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

/**
 * Starts it again whenever it dies: at once, then every few seconds, since a full disk is cleared by somebody who should
 * not have to think of this as well. The first tries are all told of, and then one a minute.
 */
async function keepRunning(
  options: PostmasterOptions,
  report: (line: Sentence) => void,
  pause: (tries: number) => number,
) {
  let current: Postmaster = await runPostmaster(options);
  let stopping = false;
  let restarts: number[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;
  const isTold = (tries: number) => {
    const told = tries <= QUICK_RESTARTS || performance.now() - toldAt >= TELL_EVERY_MS;
    if (told && tries > QUICK_RESTARTS) toldAt = performance.now();
    return told;
  };
  const watch = () => void current.exited.then(() => (stopping ? undefined : restart()));
  const restart = async () => {
    const now = performance.now();
    restarts = [...restarts.filter((at) => now - at < RESTART_WINDOW_MS), now];
    const told = isTold(restarts.length);
    if (told) report(describeRestart(restarts.length, options.logFile));
    await sleep(pause(restarts.length), undefined, { ref: false });
    if (stopping) return;
    try {
      current = await runPostmaster(options);
      if (stopping) await current.stop();
      else watch();
    } catch (error) {
      if (told) report(fromOperator((error as Error).message));
      void restart();
    }
  };
  watch();
  return {
    current: () => current,
    async stop() {
      stopping = true;
      await current.stop();
    },
  };
}

function describeRestart(tries: number, logFile: string): Sentence {
  return tries > QUICK_RESTARTS
    ? sentence`PostgreSQL ended ${tries} times in a short while and is tried again every few seconds: ${fromOperator(logFile)} says why.`
    : sentence`PostgreSQL ended unexpectedly and is started again.`;
}
