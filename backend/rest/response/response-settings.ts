import type { HttpResponse } from "#backend/http/http-message.ts";
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

function readHeaders(text: string): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const entry of parseList(text)) {
    const pairs = entry !== null && typeof entry === "object" ? Object.entries(entry) : [];
    const [name, value] = pairs[0] ?? [];
    if (pairs.length !== 1 || name === undefined || typeof value !== "string") throw badHeaders();
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) || /[\r\n\0]/.test(value)) throw badHeaders();
    const key = name.toLowerCase();
    byName.set(key, [...(byName.get(key) ?? []), value]);
  }
  return byName;
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // Falls through to the same error.
  }
  throw badHeaders();
}

function badHeaders() {
  return apiError(
    500,
    "PGRST111",
    "response.headers guc must be a JSON array composed of objects with a single key and a string value",
  );
}
