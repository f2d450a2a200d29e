import type { IncomingMessage } from "node:http";
import { pipeline, Transform } from "node:stream";
import type { HttpResponse } from "#backend/http/http-message.ts";

/** About one connection, not about the answer (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "trailer",
  "te",
  "date",
]);
/** So much of an answer waits here for a slow client, while the worker has its next request already. */
const KEPT_BYTES = 1024 * 1024;

/** A function's answer, handed on while it comes; one longer than `limit` bytes breaks off. */
export function toAnswer(response: IncomingMessage, method: string, limit: number): HttpResponse {
  const { statusCode: status = 500 } = response;
  const headers = headersOf(response, method);
  if (status >= 500) headers["sb-error-code"] ??= "EDGE_FUNCTION_ERROR";
  if (method === "HEAD" || status === 204 || status === 304) {
    response.resume();
    return { status, headers, body: null };
  }
  const stream = bounded(limit);
  // Who goes away half-way, or comes too far, ends the worker too: it would go on for nobody.
  pipeline(response, stream, () => {});
  return { status, headers, body: null, stream };
}

function headersOf(response: IncomingMessage, method: string): HttpResponse["headers"] {
  const headers: HttpResponse["headers"] = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined && !HOP_BY_HOP.has(name)) headers[name] = value;
  // Its process says so where the function named no length.
  if (method === "HEAD" && headers["content-length"] === "0") delete headers["content-length"];
  // As the hosted service has it: a function has no pages of its own on the host of its callers.
  const type = String(headers["content-type"] ?? "");
  if (method === "GET" && /^text\/html\b/i.test(type))
    headers["content-type"] = type.replace(/html/i, "plain");
  return headers;
}

function bounded(limit: number): Transform {
  let size = 0;
  return new Transform({
    readableHighWaterMark: KEPT_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) done(new Error(`the function's answer has more than ${limit} bytes`));
      else done(null, chunk);
    },
  });
}
