import { existsSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../configuration/start-error.ts";

/** A secret is made before the database that hangs on it: where the database is there and it is not, it was lost. */
export function requireBesideDatabase(dataDir: string, file: string, orElse: string): void {
  if (existsSync(file) || !existsSync(join(dataDir, "postgres"))) return;
  throw new StartError(`${file} is missing beside its database: bring it back from a backup, or ${orElse}.`);
}
