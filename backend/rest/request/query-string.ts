import { percentDecode } from "#backend/http/percent-decode.ts";
import { apiError } from "../api-error.ts";

export type QueryPair = [name: string, value: string];

/** The pairs of a query string (without "?"), still encoded; a name without "=" has an empty value. */
export function splitQuery(query: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  if (query === "") return pairs;
  for (const part of query.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    pairs.push(equals < 0 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)]);
  }
  return pairs;
}

/**
 * Decodes names and values: `+` is a space.
 * @throws ApiError 400 for percent-encoding or bytes that are not UTF-8 text, and for NUL, which PostgreSQL cannot hold.
 */
export function decodePairs(pairs: readonly QueryPair[]): QueryPair[] {
  return pairs.map(([name, value]) => [decodeText(name), decodeText(value)]);
}

function decodeText(text: string): string {
  return /[%+\0\u0080-\uffff]/.test(text) ? decodePercent(text.replaceAll("+", " ")) : text;
}

const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/g;

/** Percent-decodes a path segment; a `%` that encodes nothing is kept. */
export function decodePercent(text: string): string {
  const decoded = percentDecode(text.replace(STRAY_PERCENT, "%25"), () =>
    badEncoding("The URL has percent-encoding that is not UTF-8 text"),
  );
  if (decoded.includes("\0")) throw badEncoding("The URL has a NUL character");
  if (!decoded.isWellFormed()) throw badEncoding("The URL has half a surrogate pair");
  return decoded;
}

function badEncoding(details: string) {
  return apiError(400, "PGRST100", "Malformed request URL", details);
}

/** The query with parameters sorted by name and re-encoded, for Content-Location. */
export function canonicalQuery(pairs: readonly QueryPair[]): string {
  const sorted = pairs.length > 1 ? pairs.toSorted(byName) : pairs;
  let text = "";
  for (const [name, value] of sorted)
    text += `${text === "" ? "" : "&"}${encodeVariable(name)}=${encodeVariable(value)}`;
  return text;
}

const byName = ([a]: QueryPair, [b]: QueryPair) => (a < b ? -1 : a > b ? 1 : 0);

/** Everything except letters, digits and "-_.~", and the subset of it that `encodeURIComponent` does not encode. */
const ESCAPED = /[^A-Za-z0-9\-_.~]/;
const LEFT_OVER = /[!'()*]/g;

function encodeVariable(text: string): string {
  if (!ESCAPED.test(text)) return text;
  return encodeURIComponent(text).replace(LEFT_OVER, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
