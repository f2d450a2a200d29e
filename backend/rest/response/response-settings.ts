import * as v from "valibot";
import { HEADER_NAME, HEADER_TEXT } from "#backend/http/header-text.ts";
import type { HttpResponse } from "#backend/http/http-message.ts";
import { getOrMake } from "#backend/memory/get-or-make.ts";
import { apiError } from "../api-error.ts";

/**
 * Applies the `response.status` and `response.headers` (a JSON array of one-key objects) set by database code. Its
 * headers override the service's own; repeated names are sent repeatedly.
 * @throws ApiError PGRST111, 112 for malformed settings
 */
export function overrideResponse(
  response: HttpResponse,
  status: string | null,
  headers: string | null,
): HttpResponse {
  if (status !== null) response.status = readStatus(status);
  if (headers !== null) {
    for (const [name, values] of readHeaders(headers))
      response.headers[name] = values.length === 1 ? (values[0] as string) : values;
  }
  return response;
}

function readStatus(text: string): number {
  const status = Number.parseInt(text, 10);
  if (status >= 200 && status <= 599) return status;
  throw apiError(500, "PGRST112", "response.status guc must be a valid status code");
}

/** Headers set by database code, which HTTP can hold. */
export const SentHeaders = v.record(
  v.pipe(v.string(), v.regex(HEADER_NAME)),
  v.pipe(v.string(), v.regex(HEADER_TEXT)),
);

const SetHeaders = v.pipe(v.string(), v.parseJson(), v.array(v.pipe(SentHeaders, v.entries(1))));

function readHeaders(text: string): Map<string, string[]> {
  const { success, output } = v.safeParse(SetHeaders, text);
  if (!success) throw badHeaders();
  const byName = new Map<string, string[]>();
  for (const [name, value] of output.flatMap(Object.entries<string>))
    getOrMake(byName, name.toLowerCase(), () => []).push(value);
  return byName;
}

function badHeaders() {
  return apiError(
    500,
    "PGRST111",
    "response.headers guc must be a JSON array composed of objects with a single key and a string value",
  );
}
