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

/** A service that lives at the root; the path that clients bring (`/rest/v1`) is taken off. */
export function atRoot(handler: HttpHandler, clientPath: string): HttpHandler {
  const brought = new RegExp(`^${clientPath}(?=[/?]|$)`);
  const without = (url: string) => url.replace(brought, "").replace(/^(?!\/)/, "/");
  return {
    bodyAt: (url) => handler.bodyAt(without(url)),
    handle: (request) => handler.handle({ ...request, url: without(request.url) }),
  };
}

/** What a handler answers at one address, whatever address it was asked at. */
export function servedAs({ handle, bodyAt }: HttpHandler, url: string): HttpHandler {
  return { bodyAt: () => bodyAt(url), handle: (request) => handle({ ...request, url }) };
}
