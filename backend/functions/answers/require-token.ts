import { decodeProtectedHeader } from "jose";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { DatabaseUnavailableError } from "#backend/postgres/database.ts";
import { bearerToken } from "#backend/tokens/bearer-token.ts";
import { TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { FunctionError, unavailable } from "./function-error.ts";

/**
 * Checks the bearer token, which may be an API key, before the request reaches a function. Without one, the key in
 * `apikey` suffices: the official client sends nothing else for a signed-out user with a publishable key.
 * @throws FunctionError 401 if it is missing or invalid, or 503 while the token's session cannot be checked
 */
export async function requireToken(
  { authorization, apikey }: HttpRequest["headers"],
  verifier: TokenVerifier,
): Promise<void> {
  if (!authorization && !apikey)
    throw new FunctionError(401, "UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header");
  const token = authorization ? bearerToken(authorization) : apikey;
  if (!token || /\s/.test(token))
    throw new FunctionError(401, "UNAUTHORIZED_INVALID_JWT_FORMAT", "Auth header is not 'Bearer {token}'");
  try {
    if (!verifier.verifyKnown(token)) await verifier.verify(token);
  } catch (cause) {
    if (cause instanceof TokenError) throw new FunctionError(401, codeOf(token), "Invalid JWT");
    if (cause instanceof DatabaseUnavailableError) throw unavailable();
    throw cause;
  }
}

function codeOf(token: string): string {
  switch (algorithmOf(token)) {
    case "HS256":
      return "UNAUTHORIZED_LEGACY_JWT";
    case "ES256":
    case "RS256":
      return "UNAUTHORIZED_ASYMMETRIC_JWT";
    case null:
      return "UNAUTHORIZED_INVALID_JWT_FORMAT";
    default:
      return "UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM";
  }
}

function algorithmOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).alg ?? null;
  } catch {
    return null;
  }
}
