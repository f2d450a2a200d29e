import { existsSync } from "node:fs";
import type { ServerConfig } from "../configuration/config.ts";
import { endWithFault } from "../configuration/start-error.ts";

/** Runs one of npm's commands by its arguments; what stops it is one sentence for the operator. */
export function runCommand(main: (args: string[]) => Promise<void>): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
  main(process.argv.slice(2)).catch(endWithFault);
}

/** A command makes the data folder where there is none, as the first start does; what it prints is of no other site then. */
export function tellNewFolder({ dataDir }: ServerConfig): void {
  if (existsSync(dataDir)) return;
  console.error(
    `There was no data folder ${dataDir}, so it is made. If your site has another, set DATA_DIR to that one.`,
  );
}
