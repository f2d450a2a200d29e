import type { Identity } from "#backend/tokens/identity.ts";
import { RevokedTokenError, TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";

export const EXPIRED = "InvalidJWTToken: Token has expired";
export const REVOKED = "InvalidJWTToken: Token has been revoked";

/** Why a token does not let its bearer in; the message begins with the service's name for it. */
export class TokenRefusedError extends Error {
  override name = "TokenRefusedError";
}

/**
 * Who a token stands for. Unlike a request, which is over in a moment, a channel stays open: no second's grace is given.
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
