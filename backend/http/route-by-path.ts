import type { HttpHandler } from "./http-message.ts";

/** Routes each request, and its body handling, to the first handler whose prefix the path starts with. */
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

/** Mounts a service at the root; the path that clients use (`/rest/v1`) is stripped. */
export function atRoot(handler: HttpHandler, clientPath: string): HttpHandler {
  const brought = new RegExp(`^${clientPath}(?=[/?]|$)`);
  const without = (url: string) => url.replace(brought, "").replace(/^(?!\/)/, "/");
  return {
    bodyAt: (url) => handler.bodyAt(without(url)),
    handle: (request) => handler.handle({ ...request, url: without(request.url) }),
  };
}

/** Serves a handler's response for one URL, whatever URL was requested. */
export function servedAs({ handle, bodyAt }: HttpHandler, url: string): HttpHandler {
  return { bodyAt: () => bodyAt(url), handle: (request) => handle({ ...request, url }) };
}
