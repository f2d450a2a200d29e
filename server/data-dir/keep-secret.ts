import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../configuration/start-error.ts";
import type { SecretFile } from "./secret-files.ts";
import { writeSecret } from "./write-secret.ts";

/**
 * Reads a random secret, created once before the database that depends on it: a database without its secret means that
 * the secret was lost.
 * @param orElse what to do if no backup has it
 */
export function keepSecret(
  dataDir: string,
  name: SecretFile,
  { bytes, orElse }: { bytes: number; orElse: string },
): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, "postgres")))
      throw new StartError(
        `${file} is missing beside its database: bring it back from a backup, or ${orElse}.`,
      );
    writeSecret(dataDir, name, randomBytes(bytes).toString("base64url"), { replace: false });
  }
  return readFileSync(file, "utf8").trim();
}
