import { apiError } from "../api-error.ts";
import type { Action, RestRequest } from "../request/parse-request.ts";
import type { RowRange } from "../request/query-types.ts";
import { narrowByRangeHeader } from "../request/range-header.ts";
import type { RestConfig } from "../rest-config.ts";
import { nameKey, type Routine, type SchemaCache, type Table } from "../schema-cache/types.ts";
import type { RowKind } from "../sql/body-sql.ts";
import { callSql, rowKindOf } from "../sql/call-sql.ts";
import { countSql } from "../sql/count-sql.ts";
import { type Guard, mainStatement } from "../sql/main-statement.ts";
import { readSql } from "../sql/read-sql.ts";
import { Parameters, type Statement } from "../sql/statement.ts";
import { writeSql } from "../sql/write-sql.ts";
import { type AnswerMedia, negotiate } from "./negotiate.ts";
import { planCall, resultTable } from "./plan-call.ts";
import { type PlannedRead, planRead } from "./plan-read.ts";
import { planWrite } from "./plan-write.ts";
import { wholeRange } from "./read-plan.ts";
import { tableNotFound } from "./schema-errors.ts";

/** Everything the last stages need: what to run and how to answer. It holds no value that differs between alike requests. */
export type DataPlan = {
  action: Extract<Action, { kind: "read" | "write" | "call" }>;
  statement: Statement;
  /** Asks PostgreSQL's planner for the number of rows, when an estimate is wanted. */
  estimate: Statement | null;
  readOnly: boolean;
  media: AnswerMedia;
  /** The root's rows as the answer's Content-Range counts them. */
  range: RowRange;
  routine: Routine | null;
  /** A resolution preference counts only where there is a key to resolve on. */
  hasConflictKey: boolean;
  legacyNames: PlannedRead["legacyNames"];
  guard: Guard | null;
  /** The transaction is undone at its end. */
  undo: boolean;
};

/** @throws ApiError for what the schema, the configuration or the preferences forbid */
export function planRequest(request: RestRequest, cache: SchemaCache, config: RestConfig): DataPlan {
  const { action } = request;
  if (action.kind === "read") return planTableRead(request, action, cache, config);
  if (action.kind === "write") return planTableWrite(request, action, cache, config);
  if (action.kind === "call") return planRoutineCall(request, action, cache, config);
  throw new TypeError(`${action.kind} needs no plan`);
}

function planTableRead(
  request: RestRequest,
  action: Extract<Action, { kind: "read" }>,
  cache: SchemaCache,
  config: RestConfig,
): DataPlan {
  const table = requireTable(cache, request.schema, action.table);
  const read = planRead(request.query, readOptions(cache, config, table, false, true));
  read.plan.range = narrowByRangeHeader(read.plan.range, request.rangeHeader);
  const media = negotiate(request.accept, config.plan);
  refuseInvalidPreferences(request);
  const parameters = new Parameters();
  const answer = readSql(read.plan, parameters);
  const common = commonPlan(request, action, media, read, config);
  return {
    ...common,
    readOnly: true,
    estimate: estimateStatement(request, read),
    statement: mainStatement({
      parameters,
      source: null,
      answer,
      media: action.headersOnly ? { ...media, format: "json", stripNulls: false } : media,
      rows: "row",
      ...countParts(request, read, config, parameters),
      locationColumns: null,
      guard: null,
    }),
  };
}

function planTableWrite(
  request: RestRequest,
  action: Extract<Action, { kind: "write" }>,
  cache: SchemaCache,
  config: RestConfig,
): DataPlan {
  const table = requireTable(cache, request.schema, action.table);
  const { representation, count } = request.preferences;
  const read = planRead(request.query, readOptions(cache, config, table, true, false));
  const write = planWrite(request, action.verb, table, read.plan, config.limits);
  refuseInvalidPreferences(request);
  const media = negotiate(request.accept, config.plan);
  const parameters = new Parameters();
  const source = writeSql(write, parameters);
  const wantsBody = representation === "representation";
  const guard = writeGuard(request, action, media);
  const common = commonPlan(request, action, media, read, config);
  return {
    ...common,
    hasConflictKey: table.primaryKey.length > 0 || request.query.onConflict !== null,
    readOnly: false,
    estimate: null,
    guard,
    statement: mainStatement({
      parameters,
      source,
      answer: wantsBody ? readSql(read.plan, parameters) : null,
      media,
      rows: "row",
      count: null,
      countIsPage: count !== null,
      locationColumns:
        action.verb === "insert" && representation === "headers-only" ? table.primaryKey : null,
      guard,
    }),
  };
}

function planRoutineCall(
  request: RestRequest,
  action: Extract<Action, { kind: "call" }>,
  cache: SchemaCache,
  config: RestConfig,
): DataPlan {
  const call = planCall(request, action.routine, action.byQuery, cache, config.limits);
  const { routine } = call;
  const read = planRead(request.query, readOptions(cache, config, resultTable(routine), true, true));
  read.plan.range = narrowByRangeHeader(read.plan.range, request.rangeHeader);
  const media = negotiate(request.accept, config.plan);
  refuseInvalidPreferences(request);
  const parameters = new Parameters();
  const source = callSql(call, parameters);
  const rows: RowKind = rowKindOf(call);
  const guard = callGuard(request, media, rows);
  const common = commonPlan(request, action, media, read, config);
  return {
    ...common,
    routine,
    readOnly: action.byQuery || routine.volatility !== "volatile",
    estimate: null,
    guard,
    statement: mainStatement({
      parameters,
      source,
      answer: readSql(read.plan, parameters),
      media,
      rows,
      ...countParts(request, read, config, parameters),
      locationColumns: null,
      guard,
    }),
  };
}

function requireTable(cache: SchemaCache, schema: string, name: string): Table {
  const table = cache.tables.get(nameKey(schema, name));
  if (!table) throw tableNotFound(cache, schema, name);
  return table;
}

function readOptions(
  cache: SchemaCache,
  config: RestConfig,
  target: { schema: string; name: string },
  fromSource: boolean,
  rootConditions: boolean,
) {
  const { maxRows, aggregates, legacyTargetNames } = config;
  return { cache, target, fromSource, rootConditions, maxRows, aggregates, legacyTargetNames };
}

function commonPlan<A extends DataPlan["action"]>(
  request: RestRequest,
  action: A,
  media: AnswerMedia,
  { plan, legacyNames }: PlannedRead,
  config: RestConfig,
) {
  const undo = media.explain === null && undoes(config, request.preferences.transaction);
  return {
    action,
    media,
    range: plan.range,
    routine: null,
    hasConflictKey: false,
    legacyNames,
    guard: null,
    undo,
  };
}

function undoes({ transactionEnd }: RestConfig, wish: "commit" | "rollback" | null): boolean {
  if (transactionEnd.endsWith("override") && wish !== null) return wish === "rollback";
  return transactionEnd.startsWith("rollback");
}

/** An exact count needs a query of its own only where rows may have been cut off. */
function countParts(request: RestRequest, { plan }: PlannedRead, config: RestConfig, parameters: Parameters) {
  const { count } = request.preferences;
  if (count === null || (count === "planned" && request.action.kind === "read"))
    return { count: null, countIsPage: false };
  if (wholeRange(plan.range)) return { count: null, countIsPage: true };
  const rows = countSql(plan, parameters);
  const isEstimate = count === "estimated" && config.maxRows !== null;
  return { count: isEstimate ? `${rows} LIMIT ${(config.maxRows as number) + 1}` : rows, countIsPage: false };
}

function estimateStatement({ preferences: { count } }: RestRequest, { plan }: PlannedRead): Statement | null {
  if (count !== "planned" && count !== "estimated") return null;
  const parameters = new Parameters();
  return { text: `EXPLAIN (FORMAT JSON) ${countSql(plan, parameters)}`, values: parameters.values };
}

function writeGuard(request: RestRequest, { verb }: { verb: string }, media: AnswerMedia): Guard | null {
  if (media.explain) return null;
  if (verb === "upsert-one") return { kind: "put" };
  if (media.format === "single") return { kind: "single" };
  return verb === "insert" ? null : maxAffectedGuard(request);
}

function callGuard(request: RestRequest, media: AnswerMedia, rows: RowKind): Guard | null {
  if (media.explain) return null;
  if (media.format === "single" && rows !== "scalar" && rows !== "single-row") return { kind: "single" };
  return maxAffectedGuard(request);
}

function maxAffectedGuard({ preferences: { handling, maxAffected } }: RestRequest): Guard | null {
  return handling === "strict" && maxAffected !== null ? { kind: "max-affected", limit: maxAffected } : null;
}

function refuseInvalidPreferences({ preferences: { handling, invalid } }: RestRequest): void {
  if (handling !== "strict" || invalid.length === 0) return;
  throw apiError(
    400,
    "PGRST122",
    "Invalid preferences given with handling=strict",
    `Invalid preferences: ${invalid.join(", ")}`,
  );
}
