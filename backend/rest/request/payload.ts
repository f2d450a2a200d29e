import type { MediaType } from "#backend/http/media-type.ts";
import { apiError } from "../api-error.ts";
import type { CallPayload } from "../query/call-plan.ts";
import { limits } from "../query/limits.ts";
import type { RowsPayload } from "../query/write-plan.ts";
import { csvRecords } from "./csv.ts";
import { decodePairs, type QueryPair, splitQuery } from "./query-string.ts";
import { tooComplex } from "./too-complex.ts";

/** @throws ApiError PGRST102 for a malformed body or an unsupported type */
export function readRows(
  body: Uint8Array | null,
  type: MediaType,
  columns: readonly string[] | null,
): RowsPayload {
  const rows = rowsOf(body, type, columns);
  requireColumns(rows.columns);
  return rows;
}

function requireColumns({ length }: readonly string[]): void {
  if (length > limits.columns) throw tooComplex("columns in the body", limits.columns);
}

function rowsOf(body: Uint8Array | null, type: MediaType, columns: readonly string[] | null): RowsPayload {
  switch (type.name) {
    case "application/json":
    case "application/vnd.pgrst.object+json":
    case "application/vnd.pgrst.array+json":
      return jsonRows(decodeBody(body), columns);
    case "text/csv":
      return csvRows(decodeBody(body));
    case "application/x-www-form-urlencoded": {
      const row = Object.fromEntries(formPairs(body));
      return { json: JSON.stringify([row]), columns: Object.keys(row) };
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
): CallPayload {
  switch (type.name) {
    case "application/json": {
      const given = decodeBody(body);
      const text = given.trim() === "" ? "{}" : given;
      const rows = jsonRows(text, columns);
      return { kind: "json", text, json: rows.json, names: rows.columns };
    }
    case "text/csv": {
      const { json, columns: names } = csvRows(decodeBody(body));
      return { kind: "csv", text: json, json, names };
    }
    case "application/x-www-form-urlencoded":
      return { kind: "form", args: formPairs(body) };
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

function jsonRows(text: string, columns: readonly string[] | null): RowsPayload {
  requireShallow(text);
  const value = parseJson(text);
  if (Array.isArray(value)) return { json: text, columns: [...(columns ?? sharedKeys(value))] };
  // PostgREST treats a bare string, number or null as an empty array.
  if (value === null || typeof value !== "object") return { json: "[]", columns: [...(columns ?? [])] };
  return { json: `[${text}]`, columns: [...(columns ?? Object.keys(value))] };
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

/** PostgreSQL's own parser fails at some depth with a server error; this check refuses earlier and explains why. */
function requireShallow(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index + 1);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limits.jsonDepth)
        throw badBody("The JSON body is nested too deep", `At most ${limits.jsonDepth} levels are allowed`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The index of a string's closing quote. Strings are most of a body, so they are not scanned character by character.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (before > start && text.charCodeAt(before - 1) === BACKSLASH) before--;
    // An even number of backslashes are escaped backslashes; with an odd number the quote is escaped.
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * `NULL` is null; all other fields are text, which PostgreSQL casts to the column's type. Every row repeats the header's
 * names, so the JSON is limited while it grows.
 */
function csvRows(text: string): RowsPayload {
  const records = csvRecords(text);
  const header = records.next().value;
  if (!header) throw badBody("The CSV body has no header line");
  requireColumns(header);
  const names = header.map((name, at) => `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`);
  let json = "";
  for (const fields of records) {
    if (fields.length !== header.length) throw badBody("All lines must have same number of fields");
    if (json !== "") json += ",";
    for (const [at, field] of fields.entries())
      json += names[at] + (field === "NULL" ? "null" : JSON.stringify(field));
    json += "}";
    if (json.length > limits.csvAsJson) throw tooLongAsJson();
  }
  return { json: `[${json}]`, columns: header };
}

function tooLongAsJson() {
  const details = `As JSON, at most ${limits.csvAsJson} characters are allowed`;
  return apiError(413, "PGRST102", "The request body is too large", details);
}

/** The pairs of a form, counted before they are split. */
function formPairs(body: Uint8Array | null): QueryPair[] {
  const text = decodeBody(body);
  if (text.split("&", limits.formPairs + 1).length > limits.formPairs)
    throw tooComplex("pairs in the body", limits.formPairs);
  return decodePairs(splitQuery(text));
}

function badBody(message: string, details: string | null = null) {
  return apiError(400, "PGRST102", message, details);
}
