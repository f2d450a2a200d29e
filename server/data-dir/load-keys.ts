import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JWK } from "jose";
import { deriveKey } from "#backend/tokens/derive-key.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { StartError } from "../configuration/start-error.ts";
import { requireBesideDatabase } from "./require-beside-database.ts";
import { loadSigningKeys } from "./signing-keys.ts";
import { writeSecret } from "./write-secret.ts";

/** The secrets of the bundled backend. All follow from the JWT secret, so that processes that share it agree. */
export type BackendKeys = {
  jwtSecret: string;
  /** Public: what a visitor's client sends. */
  anonKey: string;
  /** Passes every policy; for the operator's own scripts, never for a browser. */
  serviceRoleKey: string;
  /** The two above in the newer, opaque form. */
  publishableKey: string;
  secretKey: string;
  /** Of the database role that requests log in as, in a database of the operator's own. */
  authenticatorPassword: string;
  /** The same for the role of the auth service. */
  authAdminPassword: string;
  /** For access tokens; none where the operator's own secret signs them. */
  signingKeys: JWK[];
};

/** The keys of the operator's own JWT secret, or of a secret made once and kept in the data folder, readable by its owner alone. */
export async function loadKeys(dataDir: string, ownSecret?: string): Promise<BackendKeys> {
  const jwtSecret = ownSecret ?? keepSecret(dataDir);
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

/** As many as a secret of the operator's own must have. */
const SECRET_CHARACTERS = 32;

function keepSecret(dataDir: string): string {
  const file = join(dataDir, "jwt-secret");
  const how = "write a new one of 32 characters or more into that file, which signs everybody out";
  requireBesideDatabase(dataDir, file, how);
  if (!existsSync(file)) writeSecret(file, randomBytes(48).toString("base64url"), { replace: false });
  const secret = readFileSync(file, "utf8").trim();
  // An empty or broken one would let everybody sign tokens.
  if (secret.length < SECRET_CHARACTERS) {
    throw new StartError(
      `${file} has fewer than ${SECRET_CHARACTERS} characters: bring it back from a backup, or remove it, which signs everybody out.`,
    );
  }
  return secret;
}
