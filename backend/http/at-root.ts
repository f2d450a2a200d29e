import type { HttpHandler } from "./http-message.ts";

/** A service that lives at the root; the path that clients bring (`/rest/v1`) is taken off. */
export function atRoot(handler: HttpHandler, clientPath: string): HttpHandler {
  const brought = new RegExp(`^${clientPath}(?=[/?]|$)`);
  const without = (url: string) => url.replace(brought, "").replace(/^(?!\/)/, "/");
  return {
    bodyAt: (url) => handler.bodyAt(without(url)),
    handle: (request) => handler.handle({ ...request, url: without(request.url) }),
  };
}
