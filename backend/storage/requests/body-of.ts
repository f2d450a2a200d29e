import { Readable } from "node:stream";
import type { HttpRequest } from "#backend/http/http-message.ts";

/** The request's body as a stream, however it was handed over. */
export function bodyOf({ stream, body }: HttpRequest): Readable {
  return stream ?? Readable.from(body === null ? [] : [body], { objectMode: false });
}
