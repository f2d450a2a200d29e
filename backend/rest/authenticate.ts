import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { ApiError } from "./api-error.ts";
import type { RestConfig } from "./rest-config.ts";

/**
 * Who asks: the bearer token, else the API key, else the visitor without either.
 * Gives an identity at once for a token that was seen before, so that the hot path awaits nothing.
 * @throws ApiError 401 without an API key where one is required
 */
export function authenticate(
  request: HttpRequest,
  verifier: TokenVerifier,
  config: RestConfig,
): Identity | Promise<Identity> {
  const bearer = bearerToken(request.headers.authorization);
  const key = request.headers.apikey ?? keyInQuery(request.url);
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
  const ofKey = await verifier.verify(key).catch(() => {
    throw invalidApiKey();
  });
  return bearer === undefined ? ofKey : (verifier.verifyKnown(bearer) ?? verifier.verify(bearer));
}

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^bearer +(\S+) *$/i.exec(header)?.[1];
}

/** `?apikey=…`, for callers that cannot set headers. */
export function keyInQuery(url: string): string | undefined {
  if (!url.includes("apikey=")) return undefined;
  return /[?&]apikey=([^&]*)/.exec(url)?.[1];
}

export function withoutKey(query: string): string {
  if (!query.includes("apikey=")) return query;
  return query
    .split("&")
    .filter((part) => !part.startsWith("apikey="))
    .join("&");
}

function noApiKey(): ApiError {
  const hint = "No `apikey` request header or url param was found.";
  return new ApiError(401, { code: "PGRST302", message: "No API key found in request", details: null, hint });
}

function invalidApiKey(): ApiError {
  const hint = "Double check your Supabase `anon` or `service_role` API key.";
  return new ApiError(401, { code: "PGRST301", message: "Invalid API key", details: null, hint });
}
