import type { HttpHandler } from "./http-message.ts";

/** What a handler answers at one address, whatever address it was asked at. */
export function servedAs({ handle, bodyAt }: HttpHandler, url: string): HttpHandler {
  return { bodyAt: () => bodyAt(url), handle: (request) => handle({ ...request, url }) };
}
