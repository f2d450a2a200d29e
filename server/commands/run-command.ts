import { existsSync } from "node:fs";
import * as v from "valibot";
import type { ServerConfig } from "../configuration/config.ts";
import { databaseUrl, SIGNS_RULE } from "../configuration/environment.ts";
import { loadEnvFile } from "../configuration/load-env-file.ts";
import { endWithFault, StartError } from "../configuration/start-error.ts";

/** Runs one of npm's commands with its arguments; an expected failure is printed as one sentence for the operator. */
export function runCommand(main: (args: string[]) => Promise<void>): void {
  run(main).catch(endWithFault);
}

async function run(main: (args: string[]) => Promise<void>): Promise<void> {
  for (const sentence of loadEnvFile()) console.error(sentence);
  await main(process.argv.slice(2));
}

/**
 * Warns when a command is about to create the data folder, as a first start does: its output then belongs to no
 * existing site.
 */
export function warnOfNewFolder({ dataDir }: ServerConfig): void {
  if (existsSync(dataDir)) return;
  console.error(
    `There was no data folder ${dataDir}, so it is made. If your site has another, set DATA_DIR to that one.`,
  );
}

/** The only argument of a command, the address of a database. @throws StartError if it is none */
export function readDatabaseUrl(command: string, [url = "", ...more]: string[]): string {
  if (v.is(databaseUrl, url) && more.length === 0) return url;
  throw new StartError(`Usage: npm run ${command} -- postgres://user:password@host/database, ${SIGNS_RULE}`);
}

/** The only argument of a command, a folder or an s3: address. @throws StartError if it is none */
export function readPlace(command: string, [place = "", ...more]: string[]): string {
  // An option would become a folder of that name.
  if (place === "" || place.startsWith("-")) throw new StartError(`Usage: npm run ${command} -- FOLDER`);
  if (more.length === 0) return place;
  throw new StartError(`One folder, in quotes if its name has spaces: npm run ${command} -- FOLDER`);
}
