import { join } from "node:path";
import type { JWK } from "jose";
import { deriveKey } from "#backend/tokens/derive-key.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { StartError } from "../configuration/start-error.ts";
import { keepSecret } from "./keep-secret.ts";
import { loadSigningKeys } from "./signing-keys.ts";

/** The secrets of the bundled backend, all derived from the JWT secret so that processes that share it agree. */
export type BackendKeys = {
  jwtSecret: string;
  /** Public: sent by browsers. */
  anonKey: string;
  /** Bypasses every policy; for the operator's own scripts, never for a browser. */
  serviceRoleKey: string;
  /** The two keys above in the newer, opaque form. */
  publishableKey: string;
  secretKey: string;
  /** Password of the database role that requests log in as, in an operator-provided database. */
  authenticatorPassword: string;
  /** The same for the auth service's role. */
  authAdminPassword: string;
  /** Sign access tokens; empty if the operator's JWT secret signs them. */
  signingKeys: JWK[];
};

/**
 * Derives the keys from the operator's JWT secret, or from one created once and kept in the data folder, readable by
 * its owner alone.
 */
export async function loadKeys(dataDir: string, ownSecret?: string): Promise<BackendKeys> {
  const jwtSecret = ownSecret ?? keepJwtSecret(dataDir);
  return {
    jwtSecret,
    anonKey: await signToken({ iss: "supabase", role: "anon" }, jwtSecret),
    serviceRoleKey: await signToken({ iss: "supabase", role: "service_role" }, jwtSecret),
    publishableKey: `sb_publishable_${deriveKey(jwtSecret, "publishableKey")}`,
    secretKey: `sb_secret_${deriveKey(jwtSecret, "secretKey")}`,
    authenticatorPassword: deriveKey(jwtSecret, "authenticatorPassword"),
    authAdminPassword: deriveKey(jwtSecret, "authAdminPassword"),
    signingKeys: ownSecret ? [] : await loadSigningKeys(dataDir),
  };
}

/** The same minimum as for an operator's own secret. */
const SECRET_CHARACTERS = 32;

function keepJwtSecret(dataDir: string): string {
  const orElse = `write a new one of ${SECRET_CHARACTERS} characters or more into that file, which signs everybody out`;
  const secret = keepSecret(dataDir, "jwt-secret", { bytes: 48, orElse });
  // With an empty or truncated secret, anybody could sign tokens.
  if (secret.length < SECRET_CHARACTERS) {
    throw new StartError(
      `${join(dataDir, "jwt-secret")} has fewer than ${SECRET_CHARACTERS} characters: bring it back from a backup, or ${orElse}.`,
    );
  }
  return secret;
}
