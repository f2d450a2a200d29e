import { deriveAccessKey } from "#backend/tokens/derive-key.ts";
import { atAddress, readConfig, type ServerConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import { loadKeys } from "../data-dir/load-keys.ts";
import { findRunningAddress, requireRestored } from "../data-dir/lock-data-dir.ts";
import { makeFolder } from "../data-dir/make-folder.ts";
import { rotateSigningKeys } from "../data-dir/signing-keys.ts";
import { runCommand, warnOfNewFolder } from "./run-command.ts";

const TOKEN_LIFETIME = 3600;

/** Prints the keys that a client of the bundled backend needs; creates them first if there are none. */
async function main([how, ...more]: string[]): Promise<void> {
  if ((how !== undefined && how !== "rotate") || more.length > 0)
    throw new StartError("Usage: npm run keys, or npm run keys -- rotate");
  const config = readConfig();
  if (config.hosted) throw new StartError("SUPABASE_URL is set: the keys are those of that project.");
  warnOfNewFolder(config);
  makeFolder(config.dataDir);
  // Its keys may be among what is missing.
  requireRestored(config.dataDir);
  const keys = await loadKeys(config.dataDir, config.jwtSecret);
  if (how === "rotate") return rotate(config);
  console.log(`Backend URL       ${describeAddress(config)}`);
  console.log(`Anonymous key     ${keys.anonKey}`);
  console.log(`Publishable key   ${keys.publishableKey}`);
  console.log("These pass every policy and belong in no browser:");
  console.log(`Service role key  ${keys.serviceRoleKey}`);
  console.log(`Secret key        ${keys.secretKey}`);
  const { id, secret } = deriveAccessKey(keys.jwtSecret);
  console.log(`S3 access key     ${id}`);
  console.log(`S3 secret         ${secret}`);
  console.log(
    "S3's clients reach the files at /storage/v1/s3, with the region us-east-1 and the bucket in the path.",
  );
}

/** The configured site address, else the running site's, else the one the next start would use. */
function describeAddress(config: ServerConfig): string {
  if (!config.siteUrlIsPlaceholder) return config.site.siteUrl;
  const { port } = atAddress(config, findRunningAddress(config.dataDir));
  return port === 0 ? "is what the next start prints: PORT is 0, any free one" : `http://localhost:${port}`;
}

/** A running site keeps using the keys it has loaded, which verify tokens of both. */
async function rotate({ jwtSecret, dataDir, auth }: ServerConfig): Promise<void> {
  if (jwtSecret)
    throw new StartError("JWT_SECRET is set: it signs the tokens, so there is no key to rotate.");
  const rotation = await rotateSigningKeys(dataDir, auth.accessTokenLifetime ?? TOKEN_LIFETIME);
  if ("notBefore" in rotation) {
    const { notBefore } = rotation;
    throw new StartError(
      notBefore === null
        ? "The site has not started with its present keys yet: restart it, and try again twenty minutes later."
        : `The next key is not known everywhere yet: try again after ${notBefore.toISOString()}.`,
    );
  }
  console.log(`Key ${rotation.signs} signs from the next start on; the one before it still verifies.`);
}

runCommand(main);
