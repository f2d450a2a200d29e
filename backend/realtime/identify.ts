import type { Identity } from "#backend/tokens/identity.ts";
import { TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";

export const EXPIRED = "InvalidJWTToken: Token has expired";

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
    if (cause instanceof TokenError) throw new TokenRefusedError(explain(cause));
    throw cause;
  }
}

export function isExpired({ claims: { exp } }: Identity): boolean {
  return typeof exp === "number" && exp * 1_000 <= Date.now();
}

function explain({ code, message }: TokenError): string {
  if (code === "PGRST303" && message === "JWT expired") return EXPIRED;
  if (code !== "PGRST301") return `InvalidJWTToken: ${message}`;
  return message.startsWith("No suitable key") || message.startsWith("Wrong or unsupported")
    ? "JwtSignatureError: Failed to validate JWT signature"
    : "MalformedJWT: The token provided is not a valid JWT";
}
