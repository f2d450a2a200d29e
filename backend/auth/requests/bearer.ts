import type { HttpRequest } from "#backend/http/http-message.ts";
import { bearerToken } from "#backend/tokens/bearer-token.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { RevokedTokenError, TokenError } from "#backend/tokens/token-error.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../service/auth-service.ts";

/** @throws AuthError 401 without a token, 403 for an invalid one; RevokedTokenError */
export async function verifyBearer(
  { headers }: HttpRequest,
  { verifier }: Pick<AuthService, "verifier">,
): Promise<Identity> {
  const token = bearerToken(headers.authorization);
  if (!token || /\s/.test(token)) {
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  try {
    return await verifier.verify(token);
  } catch (cause) {
    if (!(cause instanceof TokenError) || cause instanceof RevokedTokenError) throw cause;
    const reason = cause.fault === "expired" ? "token has invalid claims: token is expired" : cause.message;
    throw badToken(`invalid JWT: unable to parse or verify signature, ${reason}`);
  }
}

export function badToken(message: string): AuthError {
  return new AuthError(403, "bad_jwt", message);
}

export function sessionNotFound(): AuthError {
  return new AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist");
}
