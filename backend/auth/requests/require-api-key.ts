import type { HttpRequest } from "#backend/http/http-message.ts";
import { TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { AuthError } from "../auth-error.ts";

/** Paths that browsers open through links, that any application calls, or that are public. */
const OPEN =
  /^\/(verify|callback|authorize|health|\.well-known\/.*|sso\/saml\/.*|oauth\/(authorize|token|userinfo|clients\/register))\/?$/;

/** The hosted gateway's rule: every request needs an API key, except for those paths. @throws AuthError 401 */
export async function requireApiKey(
  { headers }: HttpRequest,
  query: URLSearchParams,
  path: string,
  verifier: TokenVerifier,
): Promise<void> {
  if (OPEN.test(path)) return;
  const key = headers.apikey ?? query.get("apikey");
  if (!key) throw new AuthError(401, "no_authorization", "No API key found in request");
  await verifier.verify(key).catch((cause) => {
    throw cause instanceof TokenError ? new AuthError(401, "no_authorization", "Invalid API key") : cause;
  });
}
