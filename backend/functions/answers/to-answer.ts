import type { IncomingMessage } from "node:http";
import { pipeline, Transform } from "node:stream";
import type { HttpResponse } from "#backend/http/http-message.ts";

/** Hop-by-hop headers, which concern the connection, not the response (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "trailer",
  "te",
  "date",
]);
/** Bytes of a response buffered for a slow client, so that the worker can take its next request. */
const KEPT_BYTES = 1024 * 1024;

/** Streams a function's response; one longer than `limit` bytes is aborted. */
export function toAnswer(response: IncomingMessage, method: string, limit: number): HttpResponse {
  const { statusCode: status = 500 } = response;
  const headers = headersOf(response, method);
  if (status >= 500) headers["sb-error-code"] ??= "EDGE_FUNCTION_ERROR";
  if (method === "HEAD" || status === 204 || status === 304) {
    response.resume();
    return { status, headers, body: null };
  }
  const stream = bounded(limit);
  // If the client disconnects or the limit is exceeded, the response is destroyed and the worker with it, as nobody
  // reads on.
  pipeline(response, stream, () => {});
  return { status, headers, body: null, stream };
}

function headersOf(response: IncomingMessage, method: string): HttpResponse["headers"] {
  const headers: HttpResponse["headers"] = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined && !HOP_BY_HOP.has(name)) headers[name] = value;
  // The worker sets this if the function named no length.
  if (method === "HEAD" && headers["content-length"] === "0") delete headers["content-length"];
  // As in the hosted service: functions may not serve HTML pages from the API's origin.
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
