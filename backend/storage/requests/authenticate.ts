import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { accessDenied } from "../storage-error.ts";

/** Who asks: the bearer token, else the API key. @throws StorageError 403 without either, or with one that does not hold */
export async function authenticate(
  { headers }: HttpRequest,
  verifier: TokenVerifier,
  needsKey: boolean,
): Promise<Identity> {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  const { apikey } = headers;
  const token = bearer ?? apikey;
  if (!token) throw accessDenied("Invalid Compact JWS");
  // The hosted gateway's rule, as everywhere else: a key comes first.
  if (needsKey && bearer && bearer !== apikey) await verifyToken(apikey, verifier);
  return verifyToken(token, verifier);
}

/** @throws StorageError 403 for one that does not hold, or none */
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
