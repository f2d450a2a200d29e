import type { HttpRequest } from "#backend/http/http-message.ts";
import { createByteCache, sizeOfText } from "#backend/memory/byte-cache.ts";
import { arrayLiteral } from "#backend/postgres/quote.ts";
import type { DataPlan } from "../plan/data-plan.ts";
import { findOperator, type OperatorKind } from "../query/operators.ts";
import type { OperandRender } from "../query/query-types.ts";
import type { Statement } from "../query/statement.ts";
import { takeList } from "../request/parse-filter.ts";
import { parameterKind } from "../request/parse-query.ts";
import type { RequestSummary } from "../request/parse-request.ts";
import type { QueryPair } from "../request/query-string.ts";
import { parseWith } from "../request/scanner.ts";

/** A plan shared by all requests of the same shape. */
export type CachedPlan = { plan: DataPlan; summary: Omit<RequestSummary, "pairs"> };

/**
 * What requests must have in common to share a plan, and where each parameter's value starts (0: the whole parameter is
 * part of the shape).
 */
export type Shape = { key: string; valueStarts: number[] };

const LONGEST_KEY = 4096;
/** Stands for a missing header or a filter's value: no header or URL can contain it. */
const ABSENT = "\0";

/**
 * The shape of a read: its URL and content negotiation headers, without the values of plain filters. Null for requests
 * whose plans are not cached.
 * @param query the raw, still encoded pairs of the URL, which are unambiguous when joined
 * @param pairs the same ones decoded, as they are parsed and bound
 */
export function shapeOf(
  request: HttpRequest,
  path: string,
  query: readonly QueryPair[],
  pairs: readonly QueryPair[],
): Shape | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const {
    accept = ABSENT,
    prefer = ABSENT,
    range = ABSENT,
    "accept-profile": profile = ABSENT,
  } = request.headers;
  const valueStarts: number[] = [];
  let key = `${request.method} ${path}\n${accept}\n${prefer}\n${profile}\n${range}\n`;
  for (const [slot, [name, value]] of pairs.entries()) {
    const start = parameterKind(name) === "filter" ? valueStart(value) : 0;
    const [rawName, rawValue] = query[slot] as QueryPair;
    valueStarts.push(start);
    key += `&${rawName}=${start === 0 ? rawValue : `${value.slice(0, start)}${ABSENT}`}`;
  }
  return key.length > LONGEST_KEY ? null : { key, valueStarts };
}

/** Whether requests that differ only in the operand share a plan; the operand of `is` is part of the SQL. */
const sharesPlan: Record<OperatorKind, boolean> = {
  compare: true,
  search: true,
  in: true,
  distinct: true,
  is: false,
};
// The parser decides whether the operator allows something in parentheses; requests it refuses are not cached.
const conditionHead = /^(?:not\.)?([a-z]+)(?:\([\w ]+\))?\./;

function valueStart(value: string): number {
  const [head, name] = conditionHead.exec(value) ?? [];
  const operator = name === undefined ? null : findOperator(name);
  if (head === undefined || !operator || !sharesPlan[operator.kind]) return 0;
  // An empty list has different SQL, so lists that may be empty are part of the shape.
  const mayBeEmpty = operator.kind === "in" && !/\w/.test(value.slice(head.length));
  return mayBeEmpty ? 0 : head.length;
}

/** The statement's parameter values, replaced by this request's values where they vary. */
export function bindValues(
  statement: Statement,
  pairs: readonly QueryPair[],
  valueStarts: readonly number[],
): string[] {
  return statement.values.map(({ text, slot, render }) => {
    const start = slot === null ? 0 : (valueStarts[slot] ?? 0);
    const own = slot === null || start === 0 ? text : (pairs[slot]?.[1] ?? "").slice(start);
    return renderOperand(own, render);
  });
}

/** Converts a value of the query to the text for PostgreSQL. @throws ApiError PGRST100 for a malformed list */
function renderOperand(text: string, render: OperandRender): string {
  if (render === "plain") return text;
  if (render === "pattern") return text.replaceAll("*", "%");
  return parseWith("filter", text, (scanner) => {
    const values = takeList(scanner);
    scanner.expectEnd();
    return arrayLiteral(values);
  });
}

/** Estimated memory of a plan besides the texts of its statements, and of each parameter. */
const PLAN_BYTES = 2_000;
const PARAMETER_BYTES = 150;

/** An LRU cache of plans by shape; cleared when the schema changes. */
export class PlanCache {
  readonly #plans;
  #schema: unknown = null;

  constructor(maxBytes: number) {
    this.#plans = createByteCache<CachedPlan>({ maxBytes, sizeOf: sizeOfPlan });
  }

  find(key: string, schema: unknown): CachedPlan | undefined {
    return schema === this.#schema ? this.#plans.get(key) : undefined;
  }

  keep(key: string, plan: CachedPlan, schema: unknown): void {
    if (schema !== this.#schema) this.#plans.clear();
    this.#schema = schema;
    this.#plans.set(key, plan);
  }
}

function sizeOfPlan({ plan: { statement, estimate } }: CachedPlan): number {
  return PLAN_BYTES + sizeOfStatement(statement) + (estimate ? sizeOfStatement(estimate) : 0);
}

function sizeOfStatement({ text, values }: Statement): number {
  const ofValues = values.reduce((sum, value) => sum + PARAMETER_BYTES + sizeOfText(value.text), 0);
  return sizeOfText(text) + ofValues;
}
