import type { IncomingMessage } from "node:http";
import { readBody } from "#backend/http/read-body.ts";

/** The request has a longer body than any form of the site sends. */
export class BodyTooLargeError extends Error {}

const MAX_BODY = 256 * 1024;

/** A node request with its whole body as the standard's `Request`. */
export async function toWebRequest(request: IncomingMessage): Promise<Request> {
  // The rest of a longer one is for whoever refuses it to throw away.
  const body = await readBody(request, MAX_BODY);
  if (!(body instanceof Uint8Array)) throw new BodyTooLargeError();
  const headers = new Headers();
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    headers.append(request.rawHeaders[i] as string, request.rawHeaders[i + 1] as string);
  }
  return new Request(findOrigin(request) + request.url, {
    method: request.method,
    headers,
    ...(body.length > 0 ? { body } : {}),
  });
}

/**
 * Whose form it is: the router takes one only from the request's own origin. Behind a proxy that speaks https the
 * browser's word tells the scheme; what is no host's name has no origin, and then no form is the site's own.
 */
function findOrigin({ headers: { host = "", origin = "" } }: IncomingMessage): string {
  if (URL.canParse(origin) && new URL(origin).host === host) return origin;
  return URL.canParse(`http://${host}`) ? `http://${host}` : "http://localhost";
}
