import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "#backend/log/log.ts";
import { logText } from "#backend/log/log-text.ts";
import type { ServerConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import { writeSecret } from "./write-secret.ts";

const NAME = "sealing-keys";
const CHARACTERS = 32;
const MADE_LATE = logText`sealing-keys was not there beside its database, so it was made. If it was lost: authenticator apps work again once the lines of a backup's sealing-keys are added to it.`;

type Config = Pick<ServerConfig, "dataDir"> &
  Partial<Pick<ServerConfig, "databaseUrl" | "jwtSecret" | "sealingKeys">>;

/**
 * The keys that encrypt second factors' secrets; the first one encrypts new ones: the operator's own keys, then those
 * in the data folder. They are independent of the token keys, so that a new `JWT_SECRET` leaves all factors intact; the
 * secret of the folder's first start is among them, since it encrypted earlier ones. Empty where processes share a
 * database but no folder: there `jwtSecret` is used.
 * @param report told if a database is there already: the file was lost, or an earlier release had none
 */
export function loadSealingKeys(config: Config, jwtSecret: string, report?: Log): string[] {
  const file = join(config.dataDir, NAME);
  const isShared = config.databaseUrl !== undefined && config.jwtSecret !== undefined;
  if (!existsSync(file) && !config.sealingKeys && !isShared) {
    writeSecret(config.dataDir, NAME, `${randomBytes(48).toString("base64url")}\n${jwtSecret}\n`, {
      replace: false,
    });
    if (existsSync(join(config.dataDir, "postgres"))) report?.(MADE_LATE, "warn");
  }
  return [...(config.sealingKeys ?? []), ...(existsSync(file) ? readKeys(file) : [])];
}

function readKeys(file: string): string[] {
  const keys = readFileSync(file, "utf8").split("\n").filter(Boolean);
  // With an empty or truncated key, nobody's second factor could be decrypted.
  if (keys.length === 0 || keys.some((key) => key.length < CHARACTERS)) {
    throw new StartError(
      `${file} holds a key of fewer than ${CHARACTERS} characters: bring it back from a backup, or remove it, which makes authenticator apps useless.`,
    );
  }
  return keys;
}
