import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { RateWindow } from "#backend/memory/rate-window.ts";

export type WorkerSetup = {
  name: string;
  /** Absolute path of the function's file. */
  entry: string;
  /** Folder of all functions, which each may read, in addition to the packages. */
  folder: string;
  /** Folder with `package.json` and `node_modules`. */
  packages: string;
  /** The function's complete environment; undefined ones are left out. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Heap limit in bytes. */
  memory: number;
  log: Log;
};

const RUNNER = join(import.meta.dirname, "../process/run-function.ts");
const OWN_PACKAGE = join(import.meta.dirname, "../../../package.json");
const MIB = 1024 * 1024;

/** File descriptors after stdin, stdout and stderr: of the worker's only connection, and of what it tells of its work. */
export const CONNECTION = 3;
export const BACKGROUND = 4;

/**
 * Spawns a process that may use the network and read the functions and packages, but nothing else: no other files, no
 * writes, no child processes, no threads, no native code. Without file descriptors for its pipes, it has no `stdio`.
 */
export function spawnWorker(setup: WorkerSetup): ChildProcess {
  const { name, entry, folder, packages, environment, memory, log } = setup;
  const readable = [
    join(folder, "*"),
    join(packages, "node_modules/*"),
    join(packages, "package.json"),
    join(dirname(RUNNER), "*"),
    OWN_PACKAGE,
  ];
  const child = spawn(
    process.execPath,
    [
      "--permission",
      "--allow-net",
      ...readable.map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${Math.ceil(memory / MIB)}`,
      "--disable-warning=ExperimentalWarning",
      RUNNER,
      entry,
      packages,
    ],
    { env: { ...environment }, cwd: folder, stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"] },
  );
  child.on("error", (cause) =>
    log(logText`functions: ${fromOperator(name)} could not be started: ${describeCause(cause)}`, "error"),
  );
  logOutput(child, name, log);
  return child;
}

const LINES = 100;
const PERIOD_MS = 10_000;
const LONGEST_PIECE = 10_000;

/** Logs the function's output, up to the hosted service's limit of 100 lines per ten seconds. */
function logOutput({ stdout, stderr }: ChildProcess, name: string, log: Log): void {
  const written = new RateWindow(LINES, PERIOD_MS);
  const write = (level: "info" | "warn") => (chunk: Buffer) => {
    for (const line of chunk.toString("utf8", 0, LONGEST_PIECE).split("\n")) {
      if (line.trim() !== "" && written.take())
        log(logText`functions: ${fromOperator(name)}: ${quoteScrubbed(line)}`, level);
    }
  };
  stdout?.on("data", write("info"));
  stderr?.on("data", write("warn"));
}
