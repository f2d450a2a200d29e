import type { HttpResponse } from "./http-message.ts";

export function jsonResponse(
  status: number,
  body: unknown,
  headers: HttpResponse["headers"] = {},
): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(body),
  };
}
