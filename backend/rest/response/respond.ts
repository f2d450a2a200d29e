import type { HttpResponse } from "#backend/http/http-message.ts";
import type { Row } from "#backend/postgres/database.ts";
import { readBytes } from "#backend/postgres/read-bytes.ts";
import { ApiError } from "../api-error.ts";
import type { DataPlan } from "../plan/data-plan.ts";
import type { AnswerMedia } from "../query/answer.ts";
import type { RequestSummary } from "../request/parse-request.ts";
import { appliedPreferences, type Preferences } from "../request/preferences.ts";
import { canonicalQuery } from "../request/query-string.ts";
import { notSingle } from "./database-errors.ts";
import { overrideResponse } from "./response-settings.ts";

/** The database's result. */
export type Outcome = {
  body: string | Uint8Array;
  /** Number of rows in the response, or of rows written. */
  page: number;
  /** Number of rows without limit and offset; null if no count was requested. */
  total: number | null;
  location: [column: string, condition: string][] | null;
  /** Number of existing rows that an upsert updated. */
  updated: number;
  responseHeaders: string | null;
  responseStatus: string | null;
};

export function readOutcome(row: Row | undefined, { isBytes }: AnswerMedia): Outcome {
  const body = row?.body ?? "";
  return {
    body: isBytes ? readBytes(body) : body,
    page: Number(row?.page ?? 0),
    total: row?.total == null ? null : Number(row.total),
    location: row?.location == null ? null : JSON.parse(row.location),
    updated: Number(row?.updated ?? 0),
    responseHeaders: row?.response_headers ?? null,
    responseStatus: row?.response_status ?? null,
  };
}

/** Request headers that caches must take into account besides the URL. */
const varyingHeaders = "Accept, Prefer, Range";

/** @throws ApiError PGRST103, 111, 112, 116 */
export function respond(plan: DataPlan, summary: RequestSummary, outcome: Outcome): HttpResponse {
  const response = answer(plan, summary, outcome);
  Object.assign(response.headers, appliedHeader(plan, summary));
  response.headers.vary = varyingHeaders;
  if (plan.legacyNames.length > 0) response.headers.warning = legacyWarning(plan);
  return overrideResponse(response, outcome.responseStatus, outcome.responseHeaders);
}

function answer(plan: DataPlan, summary: RequestSummary, outcome: Outcome): HttpResponse {
  switch (plan.action.kind) {
    case "read":
      return answerRead(plan, plan.action, summary, outcome);
    case "call":
      return answerCall(plan, plan.action, summary, outcome);
    case "write":
      return answerWrite(plan, plan.action.verb, summary, outcome);
  }
}

/** Clients accept 16 KB of headers or less, so a long URL is not echoed. */
const LONGEST_LOCATION = 4096;

function answerRead(
  plan: DataPlan,
  action: { table: string; headersOnly: boolean },
  summary: RequestSummary,
  outcome: Outcome,
): HttpResponse {
  const { page, total } = outcome;
  if (plan.media.format === "single" && page !== 1) throw notSingle(page);
  const status = pageStatus(plan, summary, outcome);
  const query = canonicalQuery(summary.pairs);
  const headers: Record<string, string> = {
    "content-range": contentRange(plan.range.offset, plan.range.offset + page - 1, total),
    ...contentHeaders(plan, summary),
  };
  const location = `/${encodeURIComponent(action.table)}${query === "" ? "" : `?${query}`}`;
  if (location.length <= LONGEST_LOCATION) headers["content-location"] = location;
  return { status, headers, body: action.headersOnly ? null : outcome.body };
}

function answerCall(
  plan: DataPlan,
  action: { headersOnly: boolean },
  summary: RequestSummary,
  outcome: Outcome,
): HttpResponse {
  const kind = plan.routine?.returns;
  const page = kind && !kind.isSet ? 1 : outcome.page;
  const total = outcome.total === null ? null : kind && !kind.isSet ? 1 : outcome.total;
  const status = pageStatus(plan, summary, { ...outcome, page, total });
  const headers = { "content-range": contentRange(plan.range.offset, plan.range.offset + page - 1, total) };
  if (kind?.kind === "void") return { status: 204, headers, body: null };
  return {
    status,
    headers: { ...headers, ...contentHeaders(plan, summary) },
    body: action.headersOnly ? null : outcome.body,
  };
}

function pageStatus(plan: DataPlan, summary: RequestSummary, { page, total }: Outcome): number {
  const { offset } = plan.range;
  const status = rangeStatus(offset, offset + page - 1, total);
  if (status !== 416) return status;
  const body = {
    code: "PGRST103",
    message: "Requested range not satisfiable",
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    hint: null,
  };
  const headers = { ...profileHeader(summary), ...appliedHeader(plan, summary) };
  headers["content-range"] = contentRange(offset, offset + page - 1, total);
  throw new ApiError(416, body, headers);
}

function answerWrite(plan: DataPlan, verb: string, summary: RequestSummary, outcome: Outcome): HttpResponse {
  const { page } = outcome;
  const { count } = summary.preferences;
  const total = count === null || count === "planned" ? null : page;
  const headers: Record<string, string> = {};
  if (verb === "update") headers["content-range"] = contentRange(0, page - 1, total);
  if (verb === "insert" || verb === "delete") headers["content-range"] = contentRange(1, 0, total);
  if (outcome.location !== null && plan.action.kind === "write")
    headers.location = location(plan.action.table, outcome.location);
  const showsBody = summary.preferences.representation === "representation";
  if (showsBody) Object.assign(headers, contentHeaders(plan, summary));
  return {
    status: writeStatus(verb, summary.preferences, outcome, showsBody),
    headers,
    body: showsBody ? outcome.body : null,
  };
}

function writeStatus(
  verb: string,
  preferences: Preferences,
  { page, updated }: Outcome,
  showsBody: boolean,
): number {
  const inserted = page - updated;
  if (verb === "insert") return preferences.resolution === "merge-duplicates" && inserted <= 0 ? 200 : 201;
  if (!showsBody) return 204;
  return verb === "upsert-one" && inserted > 0 ? 201 : 200;
}

function location(table: string, columns: readonly [string, string][]): string {
  const query = columns.map(
    ([column, value]) => `${encodeURIComponent(column)}=${encodeURIComponent(value)}`,
  );
  return `/${encodeURIComponent(table)}?${query.join("&")}`;
}

function contentHeaders(plan: DataPlan, summary: RequestSummary): Record<string, string> {
  return { "content-type": plan.media.contentType, ...profileHeader(summary) };
}

function profileHeader({ schema, profiled }: RequestSummary): Record<string, string> {
  return profiled ? { "content-profile": schema } : {};
}

function appliedHeader(plan: DataPlan, { preferences }: RequestSummary): Record<string, string> {
  const applied = appliedPreferences(preferences, honored(plan));
  return applied === null ? {} : { "preference-applied": applied };
}

/** The response for `application/vnd.pgrst.plan`: PostgreSQL's EXPLAIN output. */
export function respondWithPlan(plan: DataPlan, summary: RequestSummary, lines: string[]): HttpResponse {
  return { status: 200, headers: contentHeaders(plan, summary), body: lines.join("\n") };
}

function honored({ action, hasConflictKey }: DataPlan) {
  const verb = action.kind === "write" ? action.verb : null;
  return {
    resolution: verb === "insert" && hasConflictKey,
    representation: verb !== null,
    missing: verb === "insert" || verb === "update",
    maxAffected: verb === "update" || verb === "delete" || action.kind === "call",
  };
}

function legacyWarning({ legacyNames }: DataPlan): string {
  // Encoded, as in a query string: a name may hold what no header can.
  const names = legacyNames.map(({ name, alias }) => `\`${encodeURI(name)}\` to \`${encodeURI(alias)}\``);
  const what = "Embedded resource was referenced by relation name even though it has an alias.";
  const when = "This is deprecated and will stop working in a future release.";
  return `299 - "${what} ${when} Update ${names.join(", ")} in query string filters, orders or limits."`;
}

/** `0-24/3573`; a `*` for no rows and for an unknown total. */
function contentRange(first: number, last: number, total: number | null): string {
  const rows = total !== 0 && first <= last ? `${first}-${last}` : "*";
  return `${rows}/${total ?? "*"}`;
}

/** 206 if there are more rows than these, 416 if the first one is past the end. */
function rangeStatus(first: number, last: number, total: number | null): 200 | 206 | 416 {
  if (total === null) return 200;
  if (first > total) return 416;
  return last - first + 1 < total ? 206 : 200;
}
