import type { Identity } from "#backend/tokens/identity.ts";
import { RevokedTokenError, TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";

export const EXPIRED = "InvalidJWTToken: Token has expired";
export const REVOKED = "InvalidJWTToken: Token has been revoked";

/** A token was refused; the message begins with the service's error code. */
export class TokenRefusedError extends Error {
  override name = "TokenRefusedError";
}

/**
 * Verifies a channel's token. Channels are long-lived, so, unlike for a request, expiry is checked without leeway.
 * @throws TokenRefusedError
 */
export async function identify(verifier: TokenVerifier, token: string): Promise<Identity> {
  try {
    const identity = await verifier.verify(token);
    if (isExpired(identity)) throw new TokenRefusedError(EXPIRED);
    return identity;
  } catch (cause) {
    if (cause instanceof RevokedTokenError) throw new TokenRefusedError(REVOKED);
    if (cause instanceof TokenError) throw new TokenRefusedError(explain(cause));
    throw cause;
  }
}

export function isExpired({ claims: { exp } }: Identity): boolean {
  return typeof exp === "number" && exp * 1_000 <= Date.now();
}

function explain({ fault, message }: TokenError): string {
  if (fault === "expired") return EXPIRED;
  if (fault === "signature") return "JwtSignatureError: Failed to validate JWT signature";
  if (fault === "malformed") return "MalformedJWT: The token provided is not a valid JWT";
  return `InvalidJWTToken: ${message}`;
}
