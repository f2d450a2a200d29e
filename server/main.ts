import { flushCompileCache } from "node:module";
import { readConfig, type ServerConfig } from "./configuration/config.ts";
import { loadEnvFile } from "./configuration/load-env-file.ts";
import { endWithFault } from "./configuration/start-error.ts";
import { startNotes } from "./configuration/start-notes.ts";
import { findUnreachable } from "./configuration/unreachable-services.ts";
import { keepCompiled } from "./keep-compiled.ts";
import { openLog } from "./observation/open-log.ts";
import type { Site } from "./serve-site.ts";

const FORCE_AFTER_MS = 500;
const STOPS_LATER =
  "Stopping: what this start has begun is finished first, and the next start goes on from there. A second Ctrl-C ends it at once.";

/** Starts the site and runs until asked to stop. */
async function main(): Promise<void> {
  // Pages are the same for all visitors, so their dates are in UTC whatever this machine's time zone.
  process.env.TZ = "UTC";
  for (const sentence of loadEnvFile()) console.log(sentence);
  const lean = takeMemorySettings();
  const config = readConfig();
  for (const sentence of config.unread) console.log(sentence);
  if (!config.hosted && !config.development) keepCompiled(config.dataDir);
  const stopping = new AbortController();
  const starting = start(config, lean, stopping.signal).catch((error) =>
    nullIfStopped(error, stopping.signal),
  );
  stopOnRequest(starting, stopping);
  renewOnRequest(starting);
  const site = await starting;
  if (!site || stopping.signal.aborted) return;
  greet(config, site);
  // Otherwise the cache would be written on a clean exit only.
  flushCompileCache();
  for (const sentence of await findUnreachable(config)) console.log(sentence);
}

/** With several workers, this process does not load the site's own code. */
async function start(
  config: ServerConfig,
  lean: Record<string, string>,
  stopping: AbortSignal,
): Promise<Site> {
  const { log, close } = await openLog(config);
  const site = await (config.workers === 1
    ? (await import("./start-site.ts")).startSite(config, log, stopping)
    : (await import("./workers/start-workers.ts")).startWorkers(config, lean, log, stopping));
  return {
    ...site,
    async stop() {
      await site.stop();
      await close();
    },
  };
}

/**
 * Removes the allocator settings from the environment: Node has read them by now, and PostgreSQL does better without.
 * @returns them, for worker processes
 */
function takeMemorySettings(): Record<string, string> {
  const lean: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^MALLOC_.*_$|^MALLOC_ARENA_MAX$/.test(name)) continue;
    lean[name] = value as string;
    delete process.env[name];
  }
  return lean;
}

function greet(config: ServerConfig, site: Site): void {
  if (site.operatorAddress) console.log(`Metrics are at ${site.operatorAddress}/metrics`);
  console.log(`\n${config.site.siteName} is open at ${site.address}`);
  if (config.workers > 1) console.log(`${config.workers} processes serve it (WORKERS).`);
  for (const note of startNotes(config)) console.log(note);
  console.log("Ctrl-C stops it. .env.example lists every setting, docs/operations.md explains them.\n");
}

/** The first signal shuts down gracefully, even during startup; a second one, after a moment, exits at once. */
function stopOnRequest(starting: Promise<Site | null>, stopping: AbortController): void {
  let asked: number | null = null;
  let isStarting = true;
  const started = () => {
    isStarting = false;
  };
  starting.then(started, started);
  const stop = async () => {
    if (asked !== null) return void (performance.now() - asked > FORCE_AFTER_MS && process.exit(1));
    asked = performance.now();
    if (isStarting) console.log(STOPS_LATER);
    stopping.abort();
    await starting.then((site) => site?.stop()).catch(endWithFault);
    process.exit();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop());
  // Started by one of our scripts under another Node: when that exits, even by kill -9, so does this process.
  if (process.connected) process.on("disconnect", () => void stop());
}

/** A start that is asked to stop may end with the signal's own error, which is none. */
function nullIfStopped(error: unknown, { reason }: AbortSignal): null {
  if (error === reason) return null;
  throw error;
}

/** SIGUSR2 replaces the worker processes with new ones. */
function renewOnRequest(starting: Promise<Site | null>): void {
  process.on("SIGUSR2", async () => {
    const site = await starting.catch(() => null);
    if (site?.renew) await site.renew();
    else if (site) console.log("Only one process serves (WORKERS), so SIGUSR2 replaces none.");
  });
}

main().catch((error) => {
  endWithFault(error);
  process.exit();
});
