import type { HttpRequest } from "#backend/http/http-message.ts";
import { bearerToken } from "#backend/tokens/bearer-token.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { accessDenied } from "../storage-error.ts";

/**
 * Authenticates by the bearer token, whose scheme may be omitted, else by the API key.
 * @throws StorageError 403 if both are missing or one is invalid
 */
export async function authenticate(
  { headers }: HttpRequest,
  verifier: TokenVerifier,
  needsKey: boolean,
): Promise<Identity> {
  const { authorization, apikey } = headers;
  const bearer = bearerToken(authorization) ?? (authorization?.trim() || undefined);
  const token = bearer ?? apikey;
  if (!token) throw accessDenied("Invalid Compact JWS");
  // The hosted gateway's rule, as in all services: the API key is verified first.
  if (needsKey && bearer && bearer !== apikey) await verifyToken(apikey, verifier);
  return verifyToken(token, verifier);
}

/** @throws StorageError 403 if it is missing or invalid */
export async function verifyToken(token: string | undefined, verifier: TokenVerifier): Promise<Identity> {
  if (!token) throw accessDenied("No API key found in request");
  try {
    return verifier.verifyKnown(token) ?? (await verifier.verify(token));
  } catch (cause) {
    if (!(cause instanceof TokenError)) throw cause;
    throw accessDenied(describe(cause));
  }
}

function describe({ fault, message }: TokenError): string {
  if (fault === "expired") return '"exp" claim timestamp check failed';
  return ["malformed", "signature", "revoked"].includes(fault) ? "Invalid Compact JWS" : message;
}
