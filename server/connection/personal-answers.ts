import type { HttpHandler, HttpRequest } from "#backend/http/http-message.ts";

/** A file read under a bucket's policies, as opposed to one at a public or signed address. */
const PRIVATE_FILE =
  /^\/storage\/v1\/(?:object\/(?!public\/|sign\/|list\/|upload\/)|render\/image\/authenticated\/)/;

/** Forbids browsers and proxies to cache responses meant for one user: rows, and files that are not public. */
export function withoutCopies(handler: HttpHandler, anonKey: string): HttpHandler {
  const isAnybody = `Bearer ${anonKey}`;

  function isPersonal({ url, headers }: HttpRequest): boolean {
    if (headers.authorization === undefined || headers.authorization === isAnybody) return false;
    return url.startsWith("/rest/v1/") || PRIVATE_FILE.test(url);
  }

  return {
    ...handler,
    async handle(request) {
      const response = await handler.handle(request);
      if (isPersonal(request)) response.headers["cache-control"] = "no-store";
      return response;
    },
  };
}
