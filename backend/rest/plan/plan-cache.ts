import type { HttpRequest } from "#backend/http/http-message.ts";
import { parameterKind } from "../request/parse-query.ts";
import type { RestRequest } from "../request/parse-request.ts";
import type { Statement } from "../sql/statement.ts";
import { renderOperand } from "../sql/statement.ts";
import type { DataPlan } from "./plan-request.ts";

/** A plan made for one request that serves every request of the same shape. */
export type CachedPlan = { plan: DataPlan; asked: Pick<RestRequest, "schema" | "profiled" | "preferences"> };

/** What two requests must share to share a plan, and where each parameter's value begins (0: it belongs to the shape). */
export type Shape = { key: string; valueStarts: number[] };

const LONGEST_KEY = 4096;
const simpleHead =
  /^(?:not\.)?(?:isdistinct|in|(?:eq|gte?|lte?|i?like|i?match)(?:\((?:any|all)\))?|neq|cs|cd|ov|sl|sr|nxl|nxr|adj|(?:pl|ph|w)?fts(?:\([\w ]+\))?)\./;

/**
 * The shape of a read: its URL and negotiating headers with the values of plain filters left out. Null for requests
 * whose plans are not kept.
 */
export function shapeOf(request: HttpRequest, path: string, query: string): Shape | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const { accept, prefer, range } = request.headers;
  const valueStarts: number[] = [];
  let key = `${request.method} ${path}\n${accept}\n${prefer}\n${request.headers["accept-profile"]}\n${range}\n`;
  if (query !== "") {
    for (const part of query.split("&")) {
      if (part === "") continue;
      const start = valueStart(part);
      valueStarts.push(start === 0 ? 0 : start - part.indexOf("=") - 1);
      key += start === 0 ? `&${part}` : `&${part.slice(0, start)}?`;
    }
  }
  return key.length > LONGEST_KEY ? null : { key, valueStarts };
}

function valueStart(part: string): number {
  const equals = part.indexOf("=");
  if (equals < 1 || parameterKind(part.slice(0, equals)) !== "filter") return 0;
  const head = simpleHead.exec(part.slice(equals + 1))?.[0];
  if (head === undefined) return 0;
  const start = equals + 1 + head.length;
  // An empty list has SQL of its own, so lists that could be empty when decoded keep to themselves.
  if (head.endsWith("in.") && (part.includes("%", start) || !/\w/.test(part.slice(start)))) return 0;
  return start;
}

/** The statement's parameter values, taken from this request's query where they are its own. */
export function bindValues(
  statement: Statement,
  pairs: readonly (readonly [string, string])[],
  valueStarts: readonly number[],
): string[] {
  return statement.values.map(({ text, slot, render }) => {
    const start = slot === null ? 0 : (valueStarts[slot] ?? 0);
    if (slot === null || start === 0) return renderOperand(text, render);
    return renderOperand((pairs[slot]?.[1] ?? "").slice(start), render);
  });
}

/** The plans of the latest shapes, least recently used out first; emptied when the schema changes. */
export class PlanCache {
  readonly #plans = new Map<string, CachedPlan>();
  readonly #limit: number;
  #schema: unknown = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  find(key: string, schema: unknown): CachedPlan | undefined {
    if (schema !== this.#schema) return undefined;
    const plan = this.#plans.get(key);
    if (plan) {
      this.#plans.delete(key);
      this.#plans.set(key, plan);
    }
    return plan;
  }

  keep(key: string, plan: CachedPlan, schema: unknown): void {
    if (schema !== this.#schema) this.#plans.clear();
    this.#schema = schema;
    this.#plans.set(key, plan);
    if (this.#plans.size > this.#limit) this.#plans.delete(this.#plans.keys().next().value as string);
  }
}
