import type { HttpResponse } from "./http-message.ts";

/** What a body beyond the limit is answered with, before it was read to its end. */
export function bodyTooLarge(limit: number): HttpResponse {
  const body = {
    code: "PGRST102",
    details: `At most ${limit} bytes are allowed`,
    hint: null,
    message: "The request body is too large",
  };
  return {
    status: 413,
    headers: { "content-type": "application/json; charset=utf-8", connection: "close" },
    body: JSON.stringify(body),
  };
}
