import type { IncomingMessage } from "node:http";
import { readBody } from "#backend/http/read-body.ts";

/** The request body is longer than any of the site's forms. */
export class BodyTooLargeError extends Error {}

const MAX_BODY = 256 * 1024;

/** Converts a Node request, with its whole body, to a standard `Request`. */
export async function toWebRequest(request: IncomingMessage): Promise<Request> {
  // The caller drains the rest of a body that is too long.
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
 * The request's origin: the router accepts a form only from there. Behind an https proxy, the scheme is taken from the
 * browser's `Origin`; with an invalid host name, no form passes as the site's own.
 */
function findOrigin({ headers: { host = "", origin = "" } }: IncomingMessage): string {
  if (URL.canParse(origin) && new URL(origin).host === host) return origin;
  return URL.canParse(`http://${host}`) ? `http://${host}` : "http://localhost";
}
