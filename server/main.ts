import { existsSync } from "node:fs";
import { createLog } from "#backend/log/log.ts";
import { readConfig, type ServerConfig } from "./configuration/config.ts";
import { endWithFault } from "./configuration/start-error.ts";
import { startNotes } from "./configuration/start-notes.ts";
import { type Site, startSite } from "./start-site.ts";

const FORCE_AFTER_MS = 500;

/** Starts the site and keeps it up until it is asked to stop. */
async function main(): Promise<void> {
  // Pages are the same for everyone, so their dates are in UTC, whatever this machine's zone is.
  process.env.TZ = "UTC";
  if (existsSync(".env")) process.loadEnvFile(".env");
  // How Node itself uses memory was settled before; PostgreSQL does better its own way.
  for (const name of Object.keys(process.env))
    if (/^MALLOC_.*_$|^MALLOC_ARENA_MAX$/.test(name)) delete process.env[name];
  const config = readConfig();
  for (const sentence of config.unread) console.log(sentence);
  const starting = startSite(config, createLog({ format: config.logFormat }));
  stopOnRequest(starting);
  greet(config, await starting);
}

function greet(config: ServerConfig, site: Site): void {
  if (site.operatorAddress) console.log(`Metrics are at ${site.operatorAddress}/metrics`);
  console.log(`\n${config.site.siteName} is open at ${site.address}`);
  for (const note of startNotes(config)) console.log(note);
  console.log("Ctrl-C stops it. .env.example lists every setting, docs/operations.md explains them.\n");
}

/** One signal ends it in order, also while it starts; a second one, after a moment, ends it at once. */
function stopOnRequest(starting: Promise<Site>): void {
  let asked = 0;
  const stop = async () => {
    if (asked > 0) return void (Date.now() - asked > FORCE_AFTER_MS && process.exit(1));
    asked = Date.now();
    await starting.then((site) => site.stop()).catch(endWithFault);
    process.exit();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop());
  // Started by a script of ours on another Node: its end, kill -9 included, is ours.
  if (process.connected) process.on("disconnect", () => void stop());
}

main().catch((error) => {
  endWithFault(error);
  process.exit();
});
