import type { HttpRequest } from "#backend/http/http-message.ts";
import { bearerToken } from "#backend/tokens/bearer-token.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { TokenError } from "#backend/tokens/token-error.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { type ApiError, apiError } from "./api-error.ts";
import type { QueryPair } from "./request/query-string.ts";
import type { RestConfig } from "./rest-config.ts";

/**
 * Authenticates by the bearer token, else by the API key, else as the anonymous role.
 * Returns the identity synchronously for a token in the cache, so that the hot path awaits nothing.
 * @throws ApiError 401 if an API key is required but missing
 */
export function authenticate(
  request: HttpRequest,
  query: readonly QueryPair[],
  verifier: TokenVerifier,
  config: RestConfig,
): Identity | Promise<Identity> {
  const bearer = bearerToken(request.headers.authorization);
  if (bearer === "") throw new TokenError("malformed", "Empty JWT is sent in Authorization header");
  const key = request.headers.apikey ?? query.find(isKey)?.[1];
  if (config.requireApiKey && key === undefined) throw noApiKey();
  if (config.requireApiKey && key !== bearer) return verifyBoth(key as string, bearer, verifier);
  const token = bearer ?? key ?? null;
  return verifier.verifyKnown(token) ?? verifier.verify(token);
}

async function verifyBoth(
  key: string,
  bearer: string | undefined,
  verifier: TokenVerifier,
): Promise<Identity> {
  const ofKey = await verifier.verify(key).catch((cause) => {
    const isKeys = cause instanceof TokenError && cause.fault !== "no key";
    throw isKeys ? invalidApiKey() : cause;
  });
  return bearer === undefined ? ofKey : (verifier.verifyKnown(bearer) ?? verifier.verify(bearer));
}

/** `?apikey=…`, for callers that cannot set headers. */
function isKey([name]: QueryPair): boolean {
  return name === "apikey";
}

export function withoutKey(query: readonly QueryPair[]): readonly QueryPair[] {
  return query.some(isKey) ? query.filter((pair) => !isKey(pair)) : query;
}

function noApiKey(): ApiError {
  const hint = "No `apikey` request header or url param was found.";
  return apiError(401, "PGRST302", "No API key found in request", null, hint);
}

function invalidApiKey(): ApiError {
  const hint = "Double check your Supabase `anon` or `service_role` API key.";
  return apiError(401, "PGRST301", "Invalid API key", null, hint);
}
