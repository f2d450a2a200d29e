import type { HttpRequest } from "#backend/http/http-message.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { bearerToken } from "#backend/tokens/bearer-token.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { RevokedTokenError, TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { RefusedError } from "../refused-error.ts";

export const EXPIRED = "InvalidJWTToken: Token has expired";
export const REVOKED = "InvalidJWTToken: Token has been revoked";

/**
 * Verifies a channel's token. Channels are long-lived, so, unlike for a request, expiry is checked without leeway.
 * @throws RefusedError 401
 */
export async function identify(verifier: TokenVerifier, token: string): Promise<Identity> {
  try {
    const identity = await verifier.verify(token);
    if (isExpired(identity)) throw new RefusedError(EXPIRED, 401);
    return identity;
  } catch (cause) {
    if (cause instanceof RevokedTokenError) throw new RefusedError(REVOKED, 401);
    if (cause instanceof TokenError) throw new RefusedError(explain(cause), 401);
    throw cause;
  }
}

/** Identifies who sent a request; the bearer token takes precedence over the API key. @throws RefusedError 401 */
export async function identifyRequest(
  verifier: TokenVerifier,
  { headers, url }: HttpRequest,
): Promise<Identity> {
  const bearer = bearerToken(headers.authorization);
  const key = headers.apikey ?? new URLSearchParams(splitAddress(url).query).get("apikey");
  const token = bearer ?? key;
  if (!token) throw noKey();
  if (key && key !== token) await identify(verifier, key);
  return identify(verifier, token);
}

export const noKey = () => new RefusedError("MissingAPIKey: No API key found", 401);

export function isExpired({ claims: { exp } }: Identity): boolean {
  return typeof exp === "number" && exp * 1_000 <= Date.now();
}

function explain({ fault, message }: TokenError): string {
  if (fault === "expired") return EXPIRED;
  if (fault === "signature") return "JwtSignatureError: Failed to validate JWT signature";
  if (fault === "malformed") return "MalformedJWT: The token provided is not a valid JWT";
  return `InvalidJWTToken: ${message}`;
}
