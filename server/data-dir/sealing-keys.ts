import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import { writeSecret } from "./write-secret.ts";

const NAME = "sealing-keys";
const CHARACTERS = 32;

type Config = Pick<ServerConfig, "dataDir"> &
  Partial<Pick<ServerConfig, "databaseUrl" | "jwtSecret" | "sealingKeys">>;

/**
 * What seals second factors' secrets, the first one new ones: the operator's own, then those of the data folder. They are
 * no token's key, so that a new `JWT_SECRET` leaves all factors as they are; the one of the folder's first start is among
 * them, since it sealed what was made before. None where processes share a database and no folder: there `jwtSecret` does.
 */
export function loadSealingKeys(config: Config, jwtSecret: string): string[] {
  const file = join(config.dataDir, NAME);
  const isShared = config.databaseUrl !== undefined && config.jwtSecret !== undefined;
  if (!existsSync(file) && !config.sealingKeys && !isShared) {
    writeSecret(config.dataDir, NAME, `${randomBytes(48).toString("base64url")}\n${jwtSecret}\n`, {
      replace: false,
    });
  }
  return [...(config.sealingKeys ?? []), ...(existsSync(file) ? readKeys(file) : [])];
}

function readKeys(file: string): string[] {
  const keys = readFileSync(file, "utf8").split("\n").filter(Boolean);
  // With an empty or broken one nobody's second factor would open.
  if (keys.length === 0 || keys.some((key) => key.length < CHARACTERS)) {
    throw new StartError(
      `${file} holds a key of fewer than ${CHARACTERS} characters: bring it back from a backup, or remove it, which makes authenticator apps useless.`,
    );
  }
  return keys;
}
