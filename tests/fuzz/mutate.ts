import type { Chance } from "#tests/helpers/chance.ts";
import type { FuzzFrames, FuzzRequest, Who } from "./fuzz-request.ts";
import { noise, noiseBytes, oddJson, oddText } from "./odd-values.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
const EVERYBODY: Who[] = ["nobody", "visitor", "Ana", "Ben", "Cal", "Eve", "server", "forger"];
const HEADERS = {
  accept: [
    "*/*",
    "text/csv",
    "application/vnd.pgrst.object+json",
    "text/event-stream",
    "a/b",
    ";;q=x",
    "image/avif",
  ],
  "accept-encoding": ["br", "zstd, gzip;q=0", "identity;q=0", "*"],
  "accept-language": ["de", "x".repeat(300), "*"],
  "accept-profile": ["public", "auth", "private", "'"],
  "content-profile": ["public", "storage", "nope"],
  "content-type": [
    "application/json",
    "text/csv",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "x",
    "image/png",
  ],
  "content-encoding": ["gzip", "br", "deflate", "x"],
  cookie: ["a=b", "=", ";;;", "sb-access-token=x", "%", "__Host-x=1; ".repeat(50)],
  "if-modified-since": ["Thu, 01 Jan 1970 00:00:00 GMT", "x"],
  "if-none-match": ["*", '"x"', 'W/"x", "y"', '"'],
  origin: ["null", "https://example.org", "x", "http://localhost:3000"],
  prefer: [
    "return=representation",
    "count=exact",
    "count=planned",
    "resolution=merge-duplicates",
    "handling=strict,max-affected=1",
    "tx=rollback",
    "timezone=Nowhere/Land",
    "missing=default",
    "==,",
    "params=single-object",
  ],
  range: ["0-1", "bytes=0-0", "bytes=5-2", "bytes=-1", "bytes=0-,1-", "x-y", "0-", "999999999999999999999-"],
  "range-unit": ["items", "bytes"],
  referer: ["http://example.org/", "x"],
  "tus-resumable": ["1.0.0", "0.2.2", "x"],
  "upload-length": ["10", "0", "-1", "99999999999999", "x"],
  "upload-offset": ["0", "5", "-1", "x"],
  "upload-metadata": ["bucketName YXZhdGFycw==,objectName YQ==", "filename !!", ",,,", "a"],
  "x-forwarded-for": ["1.2.3.4", "::1", "x"],
  "x-forwarded-host": ["example.org", "'"],
  "x-forwarded-proto": ["https", "x"],
  "x-http-method-override": ["DELETE"],
  "x-client-info": ["supabase-js/2", "x".repeat(400)],
  "x-region": ["any", "us-east-1"],
  "x-supabase-api-version": ["2024-01-01", "x"],
  "x-upsert": ["true", "x"],
} as const;
type HeaderName = keyof typeof HEADERS;
const HEADER_NAMES = Object.keys(HEADERS) as HeaderName[];

/** Changes a valid request in none to several places. */
export function mutateRequest(chance: Chance, request: FuzzRequest): FuzzRequest {
  const mutated = { ...request, query: [...request.query], headers: { ...request.headers } };
  const times = chance.pick([0, 0, 1, 1, 1, 1, 2, 3, 5]);
  for (let time = 0; time < times; time++) mutateOnce(chance, mutated);
  return mutated;
}

function mutateOnce(chance: Chance, request: FuzzRequest): void {
  const roll = chance.random();
  if (roll < 0.3) mutateBody(chance, request);
  else if (roll < 0.6) mutateQuery(chance, request);
  else if (roll < 0.75) mutateHeaders(chance, request);
  else if (roll < 0.9) request.path = mutatePath(chance, request.path);
  else if (roll < 0.96) request.who = chance.pick(EVERYBODY);
  else request.method = chance.pick(METHODS);
}

function mutatePath(chance: Chance, path: string): string {
  const parts = path.split("/");
  // Mostly keeps the service's own prefix: another prefix has little to find behind it.
  const at = chance.between(chance.chance(0.05) ? 0 : Math.min(3, parts.length - 1), parts.length - 1);
  const part = parts[at] ?? "";
  const kind = chance.between(0, 6);
  if (kind === 0) parts.splice(at, 1);
  else if (kind === 1) parts.splice(at, 0, oddText(chance));
  else if (kind === 2) parts[at] = oddText(chance);
  else if (kind === 3) parts[at] = mutateText(chance, part);
  else if (kind === 4) parts[at] = [...Buffer.from(part)].map((byte) => `%${byte.toString(16)}`).join("");
  else if (kind === 5) parts.push(oddText(chance));
  else parts[at] = chance.pick(["..", ".", "", "%2e%2e", "*"]);
  return parts.join("/");
}

function mutateQuery(chance: Chance, request: FuzzRequest): void {
  const { query } = request;
  const at = chance.between(0, Math.max(0, query.length - 1));
  const entry = query[at];
  const kind = chance.between(0, 5);
  if (!entry || kind === 0) query.push([oddText(chance), oddText(chance)]);
  else if (kind === 1) query.splice(at, 1);
  else if (kind === 2) query.push([entry[0], chance.pick([entry[1], oddText(chance)])]);
  else if (kind === 3) query[at] = [mutateText(chance, entry[0]), entry[1]];
  else if (kind === 4) query[at] = [entry[0], oddText(chance)];
  else query[at] = [entry[0], mutateText(chance, entry[1])];
}

function mutateHeaders(chance: Chance, request: FuzzRequest): void {
  const names = Object.keys(request.headers);
  const name = chance.pick(names.length > 0 ? names : ["accept"]);
  const kind = chance.between(0, 4);
  if (kind === 0) delete request.headers[name];
  else if (kind === 1) request.headers[name] = oddText(chance);
  else if (kind === 2) request.headers[name] = mutateText(chance, request.headers[name] ?? "");
  else {
    const added = chance.pick(HEADER_NAMES);
    request.headers[added] = kind === 3 ? chance.pick(HEADERS[added]) : oddText(chance);
  }
}

function mutateBody(chance: Chance, request: FuzzRequest): void {
  const { body } = request;
  const kind = chance.between(0, 9);
  if (body === undefined && chance.chance(0.7)) {
    mutateQuery(chance, request);
  } else if (body === undefined || kind === 0) {
    request.body = chance.chance(0.5)
      ? JSON.stringify(oddJson(chance))
      : noiseBytes(chance, chance.between(0, 60));
  } else if (typeof body !== "string") request.body = mutateBytes(chance, body);
  else if (kind === 1) request.body = mutateText(chance, body);
  else request.body = mutateJsonText(chance, body);
}

/** Mutates valid JSON structurally, anything else as text. */
function mutateJsonText(chance: Chance, text: string): string {
  try {
    return JSON.stringify(mutateJson(chance, JSON.parse(text))) ?? "";
  } catch {
    return mutateText(chance, text);
  }
}

function mutateJson(chance: Chance, value: unknown): unknown {
  const isLeaf = typeof value !== "object" || value === null;
  if (isLeaf || chance.chance(0.1)) {
    if (typeof value === "string" && chance.chance(0.4)) return mutateText(chance, value);
    if (chance.chance(0.2)) return [value];
    return oddJson(chance);
  }
  if (Array.isArray(value)) return mutateList(chance, value);
  const entries = Object.entries(value);
  const at = chance.between(0, Math.max(0, entries.length - 1));
  const entry = entries[at];
  const kind = chance.between(0, 6);
  if (!entry || kind === 0) entries.push([oddText(chance), oddJson(chance)]);
  else if (kind === 1) entries.splice(at, 1);
  else if (kind === 2) entries[at] = [mutateText(chance, entry[0]), entry[1]];
  else entries[at] = [entry[0], mutateJson(chance, entry[1])];
  return Object.fromEntries(entries);
}

function mutateList(chance: Chance, list: unknown[]): unknown[] {
  const at = chance.between(0, Math.max(0, list.length - 1));
  const kind = chance.between(0, 3);
  if (kind === 0) return [...list, oddJson(chance)];
  if (kind === 1) return list.toSpliced(at, 1);
  if (kind === 2) return Array.from({ length: chance.pick([2, 50, 500]) }, () => list[at]);
  return list.map((each, index) => (index === at ? mutateJson(chance, each) : each));
}

function mutateText(chance: Chance, text: string): string {
  const at = chance.between(0, text.length);
  const to = Math.min(text.length, at + chance.between(1, 6));
  const kind = chance.between(0, 5);
  if (kind === 0) return text.slice(0, at) + text.slice(to);
  if (kind === 1) return text.slice(0, at) + oddText(chance) + text.slice(at);
  if (kind === 2)
    return text.slice(0, at) + text.slice(at, to).repeat(chance.pick([2, 3, 100])) + text.slice(to);
  if (kind === 3) return text.slice(0, at) + noise(chance, to - at) + text.slice(to);
  if (kind === 4) return text.slice(0, at);
  return chance.pick([text.toUpperCase(), [...text].reverse().join(""), text + text]);
}

export function mutateBytes(chance: Chance, bytes: Buffer): Buffer {
  const at = chance.between(0, bytes.length);
  const kind = chance.between(0, 3);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), noiseBytes(chance, 8), bytes.subarray(at)]);
  if (kind === 2) return Buffer.concat([bytes, bytes]);
  const changed = Buffer.from(bytes);
  for (let time = 0; time < chance.between(1, 8) && changed.length > 0; time++)
    changed[chance.between(0, changed.length - 1)] = chance.between(0, 255);
  return changed;
}

/** Changes some frames of one socket, and their order. */
export function mutateFrames(chance: Chance, { who, version, frames }: FuzzFrames): FuzzFrames {
  const mutated = frames.flatMap((frame) => {
    const kind = chance.between(0, 11);
    if (kind === 0) return [];
    if (kind === 1) return [frame, frame];
    if (kind === 2) return [chance.chance(0.5) ? noiseBytes(chance, chance.between(0, 40)) : oddText(chance)];
    if (kind > 6) return [frame];
    return [typeof frame === "string" ? mutateJsonText(chance, frame) : mutateBytes(chance, frame)];
  });
  return {
    who: chance.chance(0.1) ? chance.pick(EVERYBODY) : who,
    version: chance.chance(0.05) ? oddText(chance) : version,
    frames: mutated,
  };
}
