import type { HttpHandler, HttpRequest } from "#backend/http/http-message.ts";
import { bearerToken } from "#backend/tokens/bearer-token.ts";
import type { BackendKeys } from "../data-dir/load-keys.ts";

/** A file read under a bucket's policies, as opposed to one at a public or signed address. */
const PRIVATE_FILE =
  /^\/storage\/v1\/(?:object\/(?!public\/|sign\/|list\/|upload\/)|render\/image\/authenticated\/)/;

/**
 * Forbids browsers and proxies to cache responses meant for one caller: rows, and files that are not public. Only the
 * keys that every visitor has are anybody's, wherever a request has its key.
 */
export function withoutCopies(
  handler: HttpHandler,
  { anonKey, publishableKey }: Pick<BackendKeys, "anonKey" | "publishableKey">,
): HttpHandler {
  const isAnybodys = (key: string | undefined) =>
    key === undefined || key === anonKey || key === publishableKey;

  function isAnybody({ url, headers: { authorization, apikey } }: HttpRequest): boolean {
    return (
      isAnybodys(bearerToken(authorization) ?? authorization) &&
      isAnybodys(apikey) &&
      !url.includes("apikey=")
    );
  }

  const isPersonal = (request: HttpRequest) =>
    (request.url.startsWith("/rest/v1/") || PRIVATE_FILE.test(request.url)) && !isAnybody(request);

  return {
    ...handler,
    async handle(request) {
      const response = await handler.handle(request);
      if (isPersonal(request)) response.headers["cache-control"] = "no-store";
      return response;
    },
  };
}
