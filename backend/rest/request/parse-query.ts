import { apiError } from "../api-error.ts";
import type { Placed, RestQuery, RowRange } from "../query/query-types.ts";
import { takeName } from "./parse-field.ts";
import { isCondition, parseFilter, parseTreePath } from "./parse-filter.ts";
import { type ConditionCounter, countCondition, parseLogic } from "./parse-logic.ts";
import { parseOrder } from "./parse-order.ts";
import { parseSelect } from "./parse-select.ts";
import type { QueryPair } from "./query-string.ts";
import { parseWith } from "./scanner.ts";

/**
 * Parses the query parameters of a request.
 * @param withArgs for a function called by GET: parameters that are not conditions are its arguments
 * @throws ApiError PGRST100, 400
 */
export function parseQuery(pairs: readonly QueryPair[], withArgs: boolean): RestQuery {
  const query: RestQuery = {
    select: parseSelect(firstValue(pairs, "select") ?? "*"),
    filters: [],
    logic: [],
    order: [],
    ranges: parseRanges(pairs),
    columns: parseNames("columns parameter", firstValue(pairs, "columns")),
    onConflict: parseNames("on_conflict parameter", firstValue(pairs, "on_conflict")),
    args: [],
  };
  const counter = { conditions: 0 };
  for (const [slot, pair] of pairs.entries()) readParameter(query, pair, slot, counter, withArgs);
  return query;
}

function readParameter(
  query: RestQuery,
  [key, value]: QueryPair,
  slot: number,
  counter: ConditionCounter,
  withArgs: boolean,
): void {
  switch (parameterKind(key)) {
    case "reserved":
      return;
    case "order":
      query.order.push({ path: parseTreePath(key).path, value: parseOrder(value) });
      return;
    case "logic":
      query.logic.push(parseLogic(key, value, counter));
      return;
    case "filter":
      if (withArgs && !isCondition(value)) {
        query.args.push([key, value]);
        return;
      }
      countCondition(counter);
      query.filters.push(parseFilter(key, value, slot));
  }
}

/** The kind of a query parameter, judged by its name alone. */
export function parameterKind(key: string): "reserved" | "order" | "logic" | "filter" {
  if (key === "select" || key === "columns" || key === "on_conflict") return "reserved";
  switch (key.slice(key.lastIndexOf(".") + 1)) {
    case "limit":
    case "offset":
      return "reserved";
    case "order":
      return "order";
    case "and":
    case "or":
      return "logic";
    default:
      return "filter";
  }
}

function firstValue(pairs: readonly QueryPair[], name: string): string | null {
  return pairs.find(([key]) => key === name)?.[1] ?? null;
}

function parseNames(what: string, text: string | null): string[] | null {
  if (text === null) return null;
  return parseWith(what, text, (scanner) => {
    const names = new Set<string>();
    do {
      scanner.skipBlanks();
      names.add(takeName(scanner));
      scanner.skipBlanks();
    } while (scanner.take(","));
    scanner.expectEnd('"," or end of input');
    return [...names];
  });
}

/**
 * `limit`, `offset`, `rel.limit`, `rel.offset`; values that are not integers are ignored, as in PostgREST, and
 * PostgreSQL refuses those that are too large.
 */
function parseRanges(pairs: readonly QueryPair[]): Placed<RowRange>[] {
  const ranges = new Map<string, Placed<RowRange>>();
  for (const [key, value] of pairs) {
    const last = key.slice(key.lastIndexOf(".") + 1);
    if (last !== "limit" && last !== "offset") continue;
    if (!/^-?\d+$/.test(value.trim())) continue;
    const number = Number(value);
    const place = key.slice(0, -last.length);
    const range = ranges.get(place) ?? { path: parseTreePath(key).path, value: { offset: 0, limit: null } };
    if (number < 0 && last === "limit") throw negativeLimit();
    if (last === "limit") range.value.limit = number;
    else range.value.offset = Math.max(number, 0);
    ranges.set(place, range);
  }
  return [...ranges.values()];
}

function negativeLimit() {
  return apiError(
    416,
    "PGRST103",
    "Requested range not satisfiable",
    "Limit should be greater than or equal to zero.",
  );
}
