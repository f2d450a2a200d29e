import type { HttpHandler, HttpRequest } from "#backend/http/http-message.ts";

/** What a bucket's policies let this caller have, as against public and signed addresses. */
const PRIVATE_FILE =
  /^\/storage\/v1\/(?:object\/(?!public\/|sign\/|list\/|upload\/)|render\/image\/authenticated\/)/;

/** Has browsers and proxies keep no copy of what the services answer to one person: rows, and files that are not for all. */
export function withoutCopies(door: HttpHandler, anonKey: string): HttpHandler {
  const isAnybody = `Bearer ${anonKey}`;

  function isPersonal({ url, headers }: HttpRequest): boolean {
    if (headers.authorization === undefined || headers.authorization === isAnybody) return false;
    return url.startsWith("/rest/v1/") || PRIVATE_FILE.test(url);
  }

  return {
    ...door,
    async handle(request) {
      const response = await door.handle(request);
      if (isPersonal(request)) response.headers["cache-control"] = "no-store";
      return response;
    },
  };
}
