import { existsSync } from "node:fs";
import type { ServerConfig } from "../configuration/config.ts";
import { endWithFault } from "../configuration/start-error.ts";

/** Runs one of npm's commands with its arguments; an expected failure is printed as one sentence for the operator. */
export function runCommand(main: (args: string[]) => Promise<void>): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
  main(process.argv.slice(2)).catch(endWithFault);
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
