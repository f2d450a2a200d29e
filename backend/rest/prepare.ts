import type { HttpRequest } from "#backend/http/http-message.ts";
import { bindValues, type PlanCache, type Shape, shapeOf } from "./plan/plan-cache.ts";
import { type DataPlan, planRequest } from "./plan/plan-request.ts";
import type { MediaType } from "./request/media-type.ts";
import { type Action, parseRequest } from "./request/parse-request.ts";
import { decodeQueryString } from "./request/query-string.ts";
import type { Asked } from "./response/respond.ts";
import type { RestConfig } from "./rest-config.ts";
import type { SchemaCache } from "./schema-cache/types.ts";
import type { TimeZones } from "./time-zones.ts";

/** A request that is ready for the database, or that needs none. */
export type PreparedRequest =
  | { kind: "data"; plan: DataPlan; asked: Asked; values: string[]; estimateValues: string[] | null }
  | {
      kind: "describe";
      plan?: undefined;
      schema: string;
      profiled: boolean;
      headersOnly: boolean;
      accept: MediaType[];
    }
  | {
      kind: "options";
      plan?: undefined;
      schema: string;
      action: Extract<Action, { kind: "options-table" | "options-routine" | "options-root" }>;
    };

export type PreparedSources = { config: RestConfig; plans: PlanCache; timeZones: TimeZones };

/**
 * Parses and plans a request; one of a shape seen before only has its values bound. Touches no database.
 * @throws ApiError
 */
export function prepare(
  request: HttpRequest,
  path: string,
  query: string,
  cache: SchemaCache,
  sources: PreparedSources,
): PreparedRequest {
  const shape = shapeOf(request, path, query);
  const kept = shape && bindKept(shape, query, cache, sources);
  return kept ?? prepareAnew(request, path, query, cache, sources, shape);
}

function bindKept(
  shape: Shape,
  query: string,
  cache: SchemaCache,
  { plans }: PreparedSources,
): PreparedRequest | null {
  const kept = plans.find(shape.key, cache);
  if (!kept) return null;
  const pairs = decodeQueryString(query);
  const { plan, asked } = kept;
  try {
    return bound(plan, { ...asked, pairs }, shape.valueStarts);
  } catch {
    // A value that cannot be bound is refused by the full parser, which tells where it went wrong.
    return null;
  }
}

function bound(plan: DataPlan, asked: Asked, valueStarts: number[]): PreparedRequest {
  const values = bindValues(plan.statement, asked.pairs, valueStarts);
  const estimateValues = plan.estimate && bindValues(plan.estimate, asked.pairs, valueStarts);
  return { kind: "data", plan, asked, values, estimateValues };
}

function prepareAnew(
  request: HttpRequest,
  path: string,
  query: string,
  cache: SchemaCache,
  { config, plans, timeZones }: PreparedSources,
  shape: Shape | null,
): PreparedRequest {
  const rules = {
    transactionOverride: config.transactionEnd.endsWith("override"),
    isTimeZone: timeZones.has,
  };
  const parsed = parseRequest(request, path, query, config, rules);
  const { action, schema, profiled, preferences, pairs, accept } = parsed;
  if (action.kind === "describe")
    return { kind: "describe", schema, profiled, headersOnly: action.headersOnly, accept };
  if (action.kind !== "read" && action.kind !== "write" && action.kind !== "call")
    return { kind: "options", schema, action };
  const plan = planRequest(parsed, cache, config);
  const asked = { schema, profiled, preferences };
  if (shape && action.kind === "read") plans.keep(shape.key, { plan, asked }, cache);
  return bound(plan, { ...asked, pairs }, []);
}
