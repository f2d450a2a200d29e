import { apiError } from "../api-error.ts";
import { parseCsv } from "./csv.ts";
import type { MediaType } from "./media-type.ts";
import { decodeQueryString } from "./query-string.ts";
import { type Limits, tooComplex } from "./request-limits.ts";

/** The body of a write: its rows as a JSON array text, and the columns they set. */
export type RowsPayload = { json: string; columns: string[]; isEmptyObject: boolean };

/** The body of a call: named arguments, or one raw value for a single unnamed parameter. */
export type CallPayload =
  | { kind: "json"; text: string; json: string; names: string[] }
  | { kind: "form"; args: [name: string, value: string][] }
  | { kind: "raw"; type: "text" | "xml" | "bytes"; body: Uint8Array };

/** @throws ApiError PGRST102 for a body that is no rows, PGRST107 for a type that is not understood */
export function readRows(
  body: Uint8Array | null,
  type: MediaType,
  columns: readonly string[] | null,
  limits: Limits,
): RowsPayload {
  const rows = rowsOf(body, type, columns, limits);
  if (rows.columns.length > limits.columns) throw tooComplex("columns in the body", limits.columns);
  return rows;
}

function rowsOf(
  body: Uint8Array | null,
  type: MediaType,
  columns: readonly string[] | null,
  limits: Limits,
): RowsPayload {
  switch (type.name) {
    case "application/json":
    case "application/vnd.pgrst.object+json":
    case "application/vnd.pgrst.array+json":
      return jsonRows(decodeBody(body), columns, limits);
    case "text/csv":
      return csvRows(decodeBody(body));
    case "application/x-www-form-urlencoded": {
      const row = Object.fromEntries(decodeQueryString(decodeBody(body)));
      return { json: JSON.stringify([row]), columns: Object.keys(row), isEmptyObject: false };
    }
    default:
      throw badBody(`Content-Type not acceptable: ${type.text}`);
  }
}

/** @throws ApiError PGRST102 */
export function readCallBody(
  body: Uint8Array | null,
  type: MediaType,
  columns: readonly string[] | null,
  limits: Limits,
): CallPayload {
  switch (type.name) {
    case "application/json": {
      const text = decodeBody(body).trim() === "" ? "{}" : decodeBody(body);
      const rows = jsonRows(text, columns, limits);
      return { kind: "json", text, json: rows.json, names: rows.columns };
    }
    case "application/x-www-form-urlencoded":
      return { kind: "form", args: decodeQueryString(decodeBody(body)) };
    case "text/plain":
      return { kind: "raw", type: "text", body: body ?? new Uint8Array() };
    case "text/xml":
      return { kind: "raw", type: "xml", body: body ?? new Uint8Array() };
    case "application/octet-stream":
      return { kind: "raw", type: "bytes", body: body ?? new Uint8Array() };
    default:
      throw badBody(`Content-Type not acceptable: ${type.text}`);
  }
}

/** @throws ApiError PGRST102 for bytes that are not UTF-8 text */
export function decodeBody(body: Uint8Array | null): string {
  if (body === null) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw badBody("The body is not UTF-8 text");
  }
}

function jsonRows(text: string, columns: readonly string[] | null, limits: Limits): RowsPayload {
  requireShallow(text, limits.jsonDepth);
  const value = parseJson(text);
  if (Array.isArray(value)) {
    const keys = columns ?? sharedKeys(value);
    return { json: text, columns: [...keys], isEmptyObject: false };
  }
  // PostgREST takes a bare string, number or null for an empty list.
  if (value === null || typeof value !== "object")
    return { json: "[]", columns: [...(columns ?? [])], isEmptyObject: false };
  const keys = Object.keys(value);
  return { json: `[${text}]`, columns: [...(columns ?? keys)], isEmptyObject: keys.length === 0 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badBody("Empty or invalid json");
  }
}

function sharedKeys(rows: unknown[]): string[] {
  let shared: string[] | null = null;
  for (const row of rows) {
    if (row === null || typeof row !== "object" || Array.isArray(row))
      throw badBody("All object keys must match");
    const keys = Object.keys(row);
    shared ??= keys;
    if (keys.length !== shared.length || !shared.every((key) => Object.hasOwn(row, key))) {
      throw badBody("All object keys must match");
    }
  }
  return shared ?? [];
}

/** PostgreSQL's own parser gives up at some depth with a server error; this refuses earlier and says why. */
function requireShallow(text: string, limit: number): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit)
        throw apiError(
          400,
          "PGRST102",
          "The JSON body is nested too deep",
          `At most ${limit} levels are allowed`,
        );
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

/** `NULL` without quotes is null; every other field is text, which PostgreSQL casts to the column's type. */
function csvRows(text: string): RowsPayload {
  const [header, ...lines] = parseCsv(text);
  if (!header) throw badBody("The CSV body has no header line");
  const rows = lines.map((fields) => {
    if (fields.length !== header.length) throw badBody("All lines must have same number of fields");
    return Object.fromEntries(
      header.map((name, index) => [name, fields[index] === "NULL" ? null : fields[index]]),
    );
  });
  return { json: JSON.stringify(rows), columns: header, isEmptyObject: false };
}

function badBody(message: string) {
  return apiError(400, "PGRST102", message);
}
