import type { MediaType } from "#backend/http/media-type.ts";
import type { DataPlan } from "../plan/data-plan.ts";
import { type Action, parseRequest, type RequestSummary } from "../request/parse-request.ts";
import { decodePairs, type QueryPair } from "../request/query-string.ts";
import type { RunContext } from "../run-context.ts";
import { bindValues, type PlanCache, type Shape, shapeOf } from "./plan-cache.ts";
import { planRequest } from "./plan-request.ts";

/** A request ready to run, or one that needs no database plan. */
export type PreparedRequest =
  | {
      kind: "data";
      plan: DataPlan;
      summary: RequestSummary;
      values: string[];
      estimateValues: string[] | null;
    }
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

export type PrepareContext = Omit<RunContext, "identity" | "database"> & { plans: PlanCache };

/**
 * Parses and plans a request; for a cached shape, it only binds the values. Does not access the database.
 * @throws ApiError
 */
export function prepare(context: PrepareContext): PreparedRequest {
  const pairs = decodePairs(context.query);
  const shape = shapeOf(context.request, context.path, context.query, pairs);
  const kept = shape && bindKept(shape, pairs, context);
  if (kept) context.timing?.begin("plan");
  return kept ?? prepareUncached(shape, pairs, context);
}

function bindKept(
  shape: Shape,
  pairs: QueryPair[],
  { cache, plans }: PrepareContext,
): PreparedRequest | null {
  const kept = plans.find(shape.key, cache);
  if (!kept) return null;
  const summary = { ...kept.summary, pairs };
  try {
    return bound(kept.plan, summary, shape.valueStarts);
  } catch {
    // The full parser refuses a value that cannot be bound, with the position of the error.
    return null;
  }
}

function bound(plan: DataPlan, summary: RequestSummary, valueStarts: number[]): PreparedRequest {
  const values = bindValues(plan.statement, summary.pairs, valueStarts);
  const estimateValues = plan.estimate && bindValues(plan.estimate, summary.pairs, valueStarts);
  return { kind: "data", plan, summary, values, estimateValues };
}

function prepareUncached(
  shape: Shape | null,
  pairs: QueryPair[],
  { request, path, cache, config, plans, timing }: PrepareContext,
): PreparedRequest {
  const parsed = parseRequest(request, path, pairs, config);
  const { action, schema, profiled, preferences, accept } = parsed;
  if (!action.kind.startsWith("options")) timing?.begin("plan");
  if (action.kind === "describe")
    return { kind: "describe", schema, profiled, headersOnly: action.headersOnly, accept };
  if (action.kind !== "read" && action.kind !== "write" && action.kind !== "call")
    return { kind: "options", schema, action };
  const plan = planRequest(action, parsed, cache, config);
  const summary = { schema, profiled, preferences };
  if (shape && action.kind === "read") plans.keep(shape.key, { plan, summary }, cache);
  return bound(plan, { ...summary, pairs }, []);
}
