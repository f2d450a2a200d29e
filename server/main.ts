import { existsSync } from "node:fs";
import { readConfig, type ServerConfig } from "./config.ts";
import { StartError } from "./start-error.ts";
import { type Site, startSite } from "./start-site.ts";

const FORCE_AFTER_MS = 500;

/** Starts the site and keeps it up until it is asked to stop. */
async function main(): Promise<void> {
  // Pages are the same for everyone, so their dates are in UTC, whatever this machine's zone is.
  process.env.TZ = "UTC";
  if (existsSync(".env")) process.loadEnvFile(".env");
  const config = readConfig();
  const starting = startSite(config, (line) => console.log(line));
  stopOnRequest(starting);
  greet(config, await starting);
}

function greet(config: ServerConfig, site: Site): void {
  console.log(`\n${config.site.siteName} is open at ${site.address}`);
  if (config.siteUrlIsPlaceholder) {
    console.log(`SITE_URL is not set: links for search engines name the placeholder ${config.site.siteUrl}.`);
  }
  console.log("Ctrl-C stops it. .env.example lists every setting, docs/operations.md explains them.\n");
}

/** One signal ends it in order, also while it starts; a second one, after a moment, ends it at once. */
function stopOnRequest(starting: Promise<Site>): void {
  let asked = 0;
  const stop = async () => {
    if (asked > 0) return void (Date.now() - asked > FORCE_AFTER_MS && process.exit(1));
    asked = Date.now();
    await starting.then((site) => site.stop()).catch(fail);
    process.exit();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop());
  // Started by a script of ours on another Node: its end, kill -9 included, is ours.
  if (process.connected) process.on("disconnect", () => void stop());
}

function fail(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}

main().catch((error) => {
  fail(error);
  process.exit();
});
