import { apiError } from "../api-error.ts";
import type { LogicTree } from "../query/query-types.ts";
import type { ReadPlan } from "../query/read-plan.ts";
import type { WritePlan, WriteVerb } from "../query/write-plan.ts";
import type { RestRequest } from "../request/parse-request.ts";
import { readRows } from "../request/payload.ts";
import type { Table } from "../schema-cache/types.ts";
import { fieldsOf, needsSelf } from "./expand-stars.ts";
import { columnNotFound } from "./schema-errors.ts";

/** @throws ApiError PGRST102, 105, 114, 204 */
export function planWrite(request: RestRequest, verb: WriteVerb, table: Table, read: ReadPlan): WritePlan {
  const { query, preferences } = request;
  const where = rootConditions(request);
  if (verb === "upsert-one") requireKeyFilters(request, table);
  const columns = verb === "insert" || verb === "update" ? query.columns : null;
  const payload = verb === "delete" ? null : readRows(request.body, request.contentType, columns);
  const returns =
    preferences.representation === "representation" || preferences.representation === "headers-only";
  return {
    verb,
    table,
    columns: (payload?.columns ?? []).map((name) => table.columns.get(name) ?? unknownColumn(table, name)),
    payload,
    applyDefaults: preferences.missing === "default" && verb !== "upsert-one",
    conflict: conflictOf(request, verb, table),
    where,
    returning: returns ? returningColumns(read, table) : [],
    returnsSelf: returns && needsSelf(read),
  };
}

function unknownColumn(table: Table, name: string): never {
  throw columnNotFound(table.name, name);
}

function rootConditions({ query }: RestRequest): LogicTree[] {
  const filters = query.filters.filter(({ path }) => path.length === 0);
  const logic = query.logic.filter(({ path }) => path.length === 0);
  return [
    ...filters.map(({ value }): LogicTree => ({ kind: "filter", filter: value })),
    ...logic.map(({ value }) => value),
  ];
}

function conflictOf(
  { query, preferences }: RestRequest,
  verb: WriteVerb,
  table: Table,
): WritePlan["conflict"] {
  if (verb === "upsert-one") return { resolution: "merge", columns: table.primaryKey };
  if (verb !== "insert" || preferences.resolution === null) return null;
  const columns = query.onConflict ?? table.primaryKey;
  if (columns.length === 0) return null;
  return { resolution: preferences.resolution === "merge-duplicates" ? "merge" : "ignore", columns };
}

/** PUT identifies one row by all columns of its primary key, each with `eq`. */
function requireKeyFilters({ query }: RestRequest, table: Table): void {
  if (query.ranges.some(({ path }) => path.length === 0)) {
    throw apiError(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT");
  }
  const names = new Set(query.filters.map(({ value }) => value.field.name));
  const onlyKey =
    names.size === table.primaryKey.length && table.primaryKey.every((column) => names.has(column));
  const onlyEq = query.filters.every(({ path, value: { negated, operation } }) => {
    return (
      path.length === 0 &&
      !negated &&
      operation.kind === "compare" &&
      operation.operator === "eq" &&
      !operation.quantifier
    );
  });
  if (query.logic.length === 0 && table.primaryKey.length > 0 && onlyKey && onlyEq) return;
  throw apiError(
    405,
    "PGRST105",
    "Filters must include all and only primary key columns with 'eq' operators",
  );
}

/** Columns of a write or call that the response needs: to select, sort and join by, and the key for Location. */
export function returningColumns(read: ReadPlan, table: Table): string[] {
  const shown = read.select.map(({ field }) => field.name);
  if (shown.includes("*") || (shown.length === 0 && read.children.length === 0)) return ["*"];
  const joined = read.children.flatMap((child) => joinColumns(child));
  const named = fieldsOf(read).map(({ name }) => name);
  const known = named.filter((name) => table.columns.has(name) || table.computed.has(name));
  return [...new Set([...shown, ...joined, ...table.primaryKey, ...known])];
}

function joinColumns({ link }: ReadPlan): string[] {
  if (link?.relationship.kind !== "key") return [];
  const { columns, junction } = link.relationship;
  return (junction?.sourceColumns ?? columns).map(([own]) => own);
}
