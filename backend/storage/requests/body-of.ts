import { Readable } from "node:stream";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { wholeBody } from "#backend/http/whole-body.ts";
import { tooLarge } from "../storage-error.ts";

/** The request's body as a stream, whether it was buffered or not. */
export function bodyOf(request: HttpRequest): Readable {
  if (request.stream) return request.stream;
  const body = wholeBody(request, tooLarge);
  return Readable.from(body === null ? [] : [body], { objectMode: false });
}
