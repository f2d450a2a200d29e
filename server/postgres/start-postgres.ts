import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, type LogText, logText } from "#backend/log/log-text.ts";
import { deriveKey } from "#backend/tokens/derive-key.ts";
import { keepSecret } from "../data-dir/keep-secret.ts";
import { writeFile } from "../data-dir/write-file.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { findDatabaseUser } from "./database-user.ts";
import { describeMachine, followMachine } from "./machine-settings.ts";
import { type Postmaster, type PostmasterOptions, runPostmaster } from "./postmaster.ts";
import { startSettings } from "./settings.ts";
import { makeSocketFolder } from "./socket-folder.ts";

/** How to start the embedded PostgreSQL. */
export type PostgresOptions = {
  /** Holds the cluster, its password and its log; if `ephemeral`, the parent of their temporary folder. */
  dataDir?: string;
  /** For tests: uses a temporary folder in `dataDir` or the system's own, deleted on stop, and turns fsync off. */
  ephemeral?: boolean;
  /** Number of server processes that will use it. */
  workers?: number;
  /** Name of the standby that must have the WAL before a commit is confirmed. */
  commitsWaitFor?: string;
  /** Starts from a backup and the WAL after it. */
  recovers?: boolean;
  /** Receives progress lines for the operator. */
  report?: Log;
  /** Milliseconds to wait before the nth restart in a short time. */
  pause?: (tries: number) => number;
};

/** A running embedded PostgreSQL. */
export type EmbeddedPostgres = {
  /** As superuser, database `postgres`, over a Unix socket that only its account may access. */
  url: string;
  /** As role `authenticator`, whose password is set by the code that creates the role. */
  authenticatorUrl: string;
  authenticatorPassword: string;
  /** The postmaster's process id; changes when PostgreSQL is restarted. */
  readonly pid: number;
  stop(): Promise<void>;
};

const SMALL_MACHINE = { memory: 1024 ** 3, disk: 10 * 1024 ** 3, workers: 1 };
const QUICK_RESTARTS = 5;
const RESTART_WINDOW_MS = 10 * 60_000;
/** Including the start itself, it is back within five seconds once it can start again. */
const LONGEST_PAUSE_MS = 3_000;
const TELL_EVERY_MS = 60_000;

/** Immediately at first, then with growing pauses, short enough that nobody who frees disk space has to wait for it. */
export function pauseBefore(tries: number): number {
  return Math.min((tries - 1) * 1_000, LONGEST_PAUSE_MS);
}

/**
 * Starts PostgreSQL from the installed package, creating its data folder first if needed. It ends with this process,
 * however that ends, and is restarted if it dies on its own.
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
  // Tests run many instances at once, so each is kept small.
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
      report,
    },
    options.pause ?? pauseBefore,
  );
  const authenticatorPassword = deriveKey(password, "authenticatorPassword");
  const url = toUrl("postgres", password, socketFolder);
  const address = join(parent, "database-url");
  // Replaced as a whole: an empty address would lead its readers to another server.
  writeFile(`${address}.new`, `${url}\n`, { mode: 0o600 });
  renameSync(`${address}.new`, address);
  return {
    url,
    authenticatorUrl: toUrl("authenticator", authenticatorPassword, socketFolder),
    authenticatorPassword,
    get pid() {
      return run.current().pid;
    },
    async stop() {
      await run.stop();
      rmSync(ephemeral ? parent : address, { recursive: true, force: true });
      rmSync(socketFolder, { recursive: true, force: true });
    },
  };
}

/** In both forms at once: a URL parser wants a host before the path, while PostgreSQL clients let `?host=` win. */
function toUrl(role: string, password: string, socketFolder: string): string {
  return `postgres://${role}:${password}@localhost/postgres?host=${encodeURIComponent(socketFolder)}`;
}

/**
 * Restarts PostgreSQL whenever it dies: at once, then every few seconds, so that nobody who clears a full disk has to
 * restart it too. Logs the first attempts individually, then one a minute.
 */
async function keepRunning(options: PostmasterOptions & { report: Log }, pause: (tries: number) => number) {
  const { report } = options;
  let current: Postmaster = await runPostmaster(options);
  let stopping = false;
  let restarts: number[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;
  const isTold = (tries: number) => {
    const isReported = tries <= QUICK_RESTARTS || performance.now() - toldAt >= TELL_EVERY_MS;
    if (isReported && tries > QUICK_RESTARTS) toldAt = performance.now();
    return isReported;
  };
  const watch = () => void current.exited.then(() => (stopping ? undefined : restart()));
  const restart = async () => {
    const now = performance.now();
    restarts = [...restarts.filter((at) => now - at < RESTART_WINDOW_MS), now];
    const isReported = isTold(restarts.length);
    if (isReported) report(describeRestart(restarts.length, options), "error");
    await sleep(pause(restarts.length), undefined, { ref: false });
    if (stopping) return;
    try {
      current = await runPostmaster(options);
      if (stopping) await current.stop();
      else watch();
    } catch (error) {
      if (isReported && existsSync(options.folder)) report(fromOperator((error as Error).message), "error");
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

function describeRestart(tries: number, { folder, logFile }: PostmasterOptions): LogText {
  if (!existsSync(folder))
    return logText`PostgreSQL ended, since its folder ${fromOperator(folder)} is gone. Put it back, or stop the site and restore a backup.`;
  return tries > QUICK_RESTARTS
    ? logText`PostgreSQL ended ${tries} times in quick succession and is restarted every few seconds; ${fromOperator(logFile)} says why.`
    : logText`PostgreSQL ended unexpectedly and is being restarted.`;
}
