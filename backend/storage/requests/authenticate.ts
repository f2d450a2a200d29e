import type { HttpRequest } from "#backend/http/http-message.ts";
import { bearerToken } from "#backend/tokens/bearer-token.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { accessDenied } from "../storage-error.ts";

/**
 * Authenticates by the bearer token, whose scheme may be omitted, else by the API key. Unlike other services, a token
 * needs no API key beside it, as behind the hosted gateway: clients of resumable uploads send only the token.
 * @throws StorageError 403 if both are missing, or the one that counts is invalid
 */
export async function authenticate({ headers }: HttpRequest, verifier: TokenVerifier): Promise<Identity> {
  const { authorization, apikey } = headers;
  const bearer = bearerToken(authorization) ?? (authorization?.trim() || undefined);
  const token = bearer ?? apikey;
  if (!token) throw accessDenied("Invalid Compact JWS");
  return verifyToken(token, verifier);
}

/** @throws StorageError 403 if it is invalid */
export async function verifyToken(token: string, verifier: TokenVerifier): Promise<Identity> {
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
