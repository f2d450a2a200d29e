import { fromHeaderText } from "#backend/http/header-text.ts";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { type MediaType, parseAccept, parseMediaType } from "#backend/http/media-type.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { wholeBody } from "#backend/http/whole-body.ts";
import { type ApiError, apiError } from "../api-error.ts";
import { limits } from "../query/limits.ts";
import type { RestQuery } from "../query/query-types.ts";
import type { WriteVerb } from "../query/write-plan.ts";
import type { RestConfig } from "../rest-config.ts";
import { parseQuery } from "./parse-query.ts";
import { type Preferences, parsePreferences } from "./preferences.ts";
import { decodePercent, type QueryPair, splitQuery } from "./query-string.ts";
import { narrowByRangeHeader } from "./range-header.ts";

/** A parsed request, before any lookup in the schema cache. */
export type RestRequest = {
  action: Action;
  schema: string;
  /** Whether the schema was, or could have been, chosen by a profile header: the response then names it. */
  profiled: boolean;
  pairs: QueryPair[];
  query: RestQuery;
  preferences: Preferences;
  accept: MediaType[];
  contentType: MediaType;
  body: Uint8Array | null;
};

/** What the response needs from the request besides the plan. */
export type RequestSummary = Pick<RestRequest, "schema" | "profiled" | "preferences" | "pairs">;

export type Action =
  | { kind: "read"; table: string; headersOnly: boolean }
  | { kind: "write"; table: string; verb: WriteVerb }
  | { kind: "call"; routine: string; byQuery: boolean; headersOnly: boolean }
  | { kind: "describe"; headersOnly: boolean }
  | { kind: "options-table"; table: string }
  | { kind: "options-routine"; routine: string }
  | { kind: "options-root" };

const writeVerbs: Record<string, WriteVerb> = {
  POST: "insert",
  PUT: "upsert-one",
  PATCH: "update",
  DELETE: "delete",
};
const jsonType = parseMediaType("application/json");

/**
 * @param pairs the decoded query
 * @throws ApiError for errors that do not depend on the schema: path, method, profile, query, preferences
 */
export function parseRequest(
  request: HttpRequest,
  path: string,
  pairs: QueryPair[],
  config: RestConfig,
): RestRequest {
  const action = readAction(path, request.method, config);
  const { schema, profiled } = readProfile(request, config);
  const query = parseQuery(pairs, action.kind === "call" && action.byQuery);
  if (request.method === "GET") query.ranges = narrowByRangeHeader(query.ranges, request.headers.range);
  const contentType = request.headers["content-type"];
  return {
    action,
    schema,
    profiled,
    pairs,
    query,
    preferences: parsePreferences(request.headers.prefer, config.transactionEnd.endsWith("override")),
    accept: parseAccept(request.headers.accept?.trim() || "*/*"),
    contentType: contentType ? parseMediaType(contentType) : jsonType,
    body: wholeBody(request, tooLong),
  };
}

function tooLong(limit: number): ApiError {
  return apiError(413, "PGRST102", "The request body is too large", `At most ${limit} bytes are allowed`);
}

/** The path after the base path, and the still encoded query pairs. */
export function splitUrl(url: string, { basePath }: RestConfig): { path: string; query: QueryPair[] } {
  if (url.length > limits.urlLength) {
    const details = `At most ${limits.urlLength} characters are allowed`;
    throw apiError(414, "PGRST100", "The URL is too long", details);
  }
  const { path, query } = splitAddress(url);
  const inside = path.slice(basePath.length);
  if (!path.startsWith(basePath) || (inside !== "" && inside[0] !== "/")) throw invalidPath();
  return { path: inside || "/", query: splitQuery(query) };
}

function readAction(path: string, method: string, config: RestConfig): Action {
  const segments = path.split("/").slice(1).map(decodePercent);
  if (segments.at(-1) === "") segments.pop();
  const [first, second] = segments;
  if (first === undefined) return rootAction(method, config);
  if (segments.length === 1) return tableAction(first, method);
  if (segments.length === 2 && first === "rpc" && second !== undefined) return routineAction(second, method);
  throw invalidPath();
}

function invalidPath() {
  return apiError(404, "PGRST125", "Invalid path specified in request URL");
}

function tableAction(table: string, method: string): Action {
  const verb = writeVerbs[method];
  if (verb) return { kind: "write", table, verb };
  if (method === "GET" || method === "HEAD") return { kind: "read", table, headersOnly: method === "HEAD" };
  if (method === "OPTIONS") return { kind: "options-table", table };
  throw unsupportedMethod(method);
}

function routineAction(routine: string, method: string): Action {
  if (method === "POST") return { kind: "call", routine, byQuery: false, headersOnly: false };
  if (method === "GET" || method === "HEAD")
    return { kind: "call", routine, byQuery: true, headersOnly: method === "HEAD" };
  if (method === "OPTIONS") return { kind: "options-routine", routine };
  throw apiError(405, "PGRST101", `Cannot use the ${method} method on RPC`);
}

function rootAction(method: string, config: RestConfig): Action {
  if (config.openapi === "disabled") throw apiError(404, "PGRST126", "Root endpoint metadata is disabled");
  if (config.rootSpec !== null) return routineAction(config.rootSpec, method);
  if (method === "GET" || method === "HEAD") return { kind: "describe", headersOnly: method === "HEAD" };
  if (method === "OPTIONS") return { kind: "options-root" };
  throw unsupportedMethod(method);
}

export function unsupportedMethod(method: string): ApiError {
  return apiError(405, "PGRST117", `Unsupported HTTP method: ${method}`);
}

function readProfile(request: HttpRequest, config: RestConfig): { schema: string; profiled: boolean } {
  const isWrite = request.method in writeVerbs;
  const header = request.headers[isWrite ? "content-profile" : "accept-profile"];
  if (header === undefined)
    return { schema: config.schemas[0] as string, profiled: config.schemas.length > 1 };
  const profile = fromHeaderText(header);
  if (config.schemas.includes(profile)) return { schema: profile, profiled: true };
  const exposed = config.schemas.join(", ");
  throw apiError(
    406,
    "PGRST106",
    `Invalid schema: ${profile}`,
    null,
    `Only the following schemas are exposed: ${exposed}`,
  );
}
