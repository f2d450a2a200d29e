import type { HttpHandler } from "./http-message.ts";

/** The first handler whose prefix the path begins with; all that belongs to it, its bodies too, goes with it. */
export function routeByPath(handlers: Record<string, HttpHandler>, otherwise: HttpHandler): HttpHandler {
  const routes = Object.entries(handlers);
  const find = (url: string) => {
    for (const [prefix, handler] of routes) if (url.startsWith(prefix)) return handler;
    return otherwise;
  };
  return {
    handle: (request) => find(request.url).handle(request),
    bodyAt: (url) => find(url).bodyAt(url),
  };
}
