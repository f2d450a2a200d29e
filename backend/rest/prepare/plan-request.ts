import { apiError } from "../api-error.ts";
import type { DataPlan } from "../plan/data-plan.ts";
import { mediaOfRows, mediaOfValue } from "../plan/media-handlers.ts";
import { negotiate } from "../plan/negotiate.ts";
import { planCall, resultTable, withReturning } from "../plan/plan-call.ts";
import { type PlannedRead, planRead, type ReadPlanOptions } from "../plan/plan-read.ts";
import { planWrite } from "../plan/plan-write.ts";
import { requireTable } from "../plan/schema-errors.ts";
import type { AnswerMedia, Guard, RowKind } from "../query/answer.ts";
import { wholeRange } from "../query/read-plan.ts";
import type { Statement } from "../query/statement.ts";
import type { Action, RestRequest } from "../request/parse-request.ts";
import type { RestConfig } from "../rest-config.ts";
import type { QualifiedName, SchemaCache } from "../schema-cache/types.ts";
import { callSql, rowKindOf } from "../sql/call-sql.ts";
import { countSql } from "../sql/count-sql.ts";
import { mainStatement } from "../sql/main-statement.ts";
import { Parameters } from "../sql/parameters.ts";
import { readSql } from "../sql/read-sql.ts";
import { writeSql } from "../sql/write-sql.ts";

type Planning = { request: RestRequest; cache: SchemaCache; config: RestConfig };
type ActionOf<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/** @throws ApiError if the schema, configuration or preferences do not allow the request */
export function planRequest(
  action: DataPlan["action"],
  request: RestRequest,
  cache: SchemaCache,
  config: RestConfig,
): DataPlan {
  const planning = { request, cache, config };
  switch (action.kind) {
    case "read":
      return planTableRead(action, planning);
    case "write":
      return planTableWrite(action, planning);
    case "call":
      return planRoutineCall(action, planning);
  }
}

function planTableRead(action: ActionOf<"read">, planning: Planning): DataPlan {
  const { request, cache, config } = planning;
  const table = requireTable(cache, request.schema, action.table);
  const read = planRead(request.query, readOptions(table, false, true, planning));
  const media = negotiate(request.accept, config.plan, mediaOfRows(cache, table, request.query.select));
  refuseInvalidPreferences(request);
  const parameters = new Parameters();
  const statement = mainStatement({
    parameters,
    source: null,
    answer: readSql(read.plan, parameters),
    media: action.headersOnly ? { ...media, format: "json", stripNulls: false } : media,
    rows: "row",
    ...countParts(request, read, config, parameters),
    locationColumns: null,
    guard: null,
  });
  const estimate = estimateStatement(request, read, config);
  return { ...commonPlan(action, media, read, planning), statement, estimate, readOnly: true };
}

function planTableWrite(action: ActionOf<"write">, planning: Planning): DataPlan {
  const { request, cache, config } = planning;
  const table = requireTable(cache, request.schema, action.table);
  const { representation, count } = request.preferences;
  const read = planRead(request.query, readOptions(table, true, false, planning));
  const write = planWrite(request, action.verb, table, read.plan);
  refuseInvalidPreferences(request);
  const media = negotiate(request.accept, config.plan, mediaOfRows(cache, table, request.query.select));
  const parameters = new Parameters();
  const source = writeSql(write, parameters);
  const guard = writeGuard(request, action, media);
  const showsLocation = action.verb === "insert" && representation === "headers-only";
  const statement = mainStatement({
    parameters,
    source,
    answer: representation === "representation" ? readSql(read.plan, parameters) : null,
    media,
    rows: "row",
    count: null,
    countIsPage: count !== null,
    locationColumns: showsLocation ? table.primaryKey : [],
    guard,
  });
  const hasConflictKey = table.primaryKey.length > 0 || request.query.onConflict !== null;
  return { ...commonPlan(action, media, read, planning), statement, guard, hasConflictKey };
}

function planRoutineCall(action: ActionOf<"call">, planning: Planning): DataPlan {
  const { request, cache, config } = planning;
  const call = planCall(request, action.routine, action.byQuery, cache);
  const { routine } = call;
  const read = planRead(request.query, readOptions(resultTable(routine), true, true, planning));
  const custom = routine.returns.mediaType
    ? mediaOfValue(routine)
    : mediaOfRows(cache, resultTable(routine), request.query.select);
  const media = negotiate(request.accept, config.plan, custom);
  refuseInvalidPreferences(request);
  const parameters = new Parameters();
  const source = callSql(withReturning(call, read.plan), parameters);
  const rows = rowKindOf(routine);
  const guard = callGuard(request, media, rows);
  const statement = mainStatement({
    parameters,
    source,
    answer: readSql(read.plan, parameters),
    media,
    rows,
    ...countParts(request, read, config, parameters),
    locationColumns: null,
    guard,
  });
  const readOnly = action.byQuery || routine.volatility !== "volatile";
  return { ...commonPlan(action, media, read, planning), statement, guard, routine, readOnly };
}

function readOptions(
  target: QualifiedName,
  fromSource: boolean,
  rootConditions: boolean,
  { cache, config: { maxRows, aggregates, legacyTargetNames } }: Planning,
): ReadPlanOptions {
  return { cache, target, fromSource, rootConditions, maxRows, aggregates, legacyTargetNames };
}

/** Defaults common to all kinds of plans. */
function commonPlan(
  action: DataPlan["action"],
  media: AnswerMedia,
  { plan, legacyNames }: PlannedRead,
  { request, config }: Planning,
): Omit<DataPlan, "statement"> {
  return {
    action,
    media,
    range: plan.range,
    estimate: null,
    readOnly: false,
    routine: null,
    hasConflictKey: false,
    legacyNames,
    guard: null,
    undo: undoes(config, request.preferences.transaction),
  };
}

function undoes({ transactionEnd }: RestConfig, preferred: "commit" | "rollback" | null): boolean {
  return preferred === null ? transactionEnd.startsWith("rollback") : preferred === "rollback";
}

/** An exact count needs a query of its own only if rows may have been cut off. */
function countParts(request: RestRequest, { plan }: PlannedRead, config: RestConfig, parameters: Parameters) {
  const count = countOf(request, config);
  if (count === null || count === "planned") return { count: null, countIsPage: false };
  if (wholeRange(plan.range)) return { count: null, countIsPage: true };
  const rows = countSql(plan, parameters);
  const isEstimate = count === "estimated" && config.maxRows !== null;
  return { count: isEstimate ? `${rows} LIMIT ${(config.maxRows as number) + 1}` : rows, countIsPage: false };
}

function countOf({ preferences: { count } }: RestRequest, { estimates }: RestConfig) {
  return count !== null && !estimates ? "exact" : count;
}

function estimateStatement(
  request: RestRequest,
  { plan }: PlannedRead,
  config: RestConfig,
): Statement | null {
  const count = countOf(request, config);
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
