import { existsSync } from "node:fs";
import { endWithFault } from "../configuration/start-error.ts";

/** Runs one of npm's commands by its arguments; what stops it is one sentence for the operator. */
export function runCommand(main: (args: string[]) => Promise<void>): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
  main(process.argv.slice(2)).catch(endWithFault);
}
