import { CLIENT_NETWORK } from "#backend/http/client-network.ts";
import type { HttpResponse } from "#backend/http/http-message.ts";
import type { Row, Step } from "#backend/postgres/database.ts";
import type { QueryCaller } from "#backend/postgres/query-queue.ts";
import { quoteName } from "#backend/postgres/quote.ts";
import type { DataPlan } from "./plan/data-plan.ts";
import type { PreparedRequest } from "./prepare/prepare.ts";
import type { Preferences } from "./request/preferences.ts";
import { type Outcome, readOutcome, respond, respondWithPlan } from "./response/respond.ts";
import type { RunContext } from "./run-context.ts";
import { settingsSteps } from "./sql/settings-step.ts";

type DataRequest = Extract<PreparedRequest, { kind: "data" }>;

/**
 * The only stage that accesses the database: settings and statement in one round trip and one transaction, as the
 * token's role.
 */
export async function runPlan(prepared: DataRequest, context: RunContext): Promise<HttpResponse> {
  const { plan, summary } = prepared;
  const before = leadingSteps(plan, summary.schema, summary.preferences.timezone, context);
  const planFor = context.identity.role;
  context.timing?.begin("transaction");
  const main = { text: plan.statement.text, values: prepared.values, planFor };
  const options = { undo: plan.undo, ...callerOf(context), readOnly: plan.readOnly };
  const estimate = estimateStep(prepared, planFor);
  // With both in one transaction, the function that precedes each request runs once.
  const [estimated, rows] = estimate
    ? ((await context.database.run([...before, estimate, main], options)).slice(-2) as [Row[], Row[]])
    : [
        null,
        await context.database.batch([...before, main], { ...options, shared: isShared(plan, context) }),
      ];
  if (plan.media.explain) {
    context.timing?.begin("response");
    return respondWithPlan(
      plan,
      summary,
      rows.map((row) => row["QUERY PLAN"] ?? ""),
    );
  }
  const exact = readOutcome(rows[0], plan.media);
  const outcome = estimated ? withEstimate(exact, summary.preferences.count, estimated[0], context) : exact;
  context.timing?.begin("response");
  return respond(plan, summary, outcome);
}

/**
 * The client for fair sharing of connections: an anonymous visitor by network, or a user; the site's own reads for its
 * pages are neither.
 */
function callerOf({ identity, config, request }: RunContext): QueryCaller {
  const isGuest = identity.role === config.anonRole && request.remoteAddress !== undefined;
  if (isGuest) return { guest: request.headers[CLIENT_NETWORK] ?? "" };
  const { sub } = identity.claims;
  return typeof sub === "string" ? { person: sub } : {};
}

/**
 * A client with a token may just have written and must see its own writes, so only anonymous reads may use a replica.
 */
function isShared({ readOnly }: DataPlan, { identity, config }: RunContext): boolean {
  return readOnly && identity.role === config.anonRole && config.preRequest === null;
}

function leadingSteps(plan: DataPlan, schema: string, timezone: string | null, context: RunContext): Step[] {
  const { readOnly, routine } = plan;
  const { preRequest } = context.config;
  const settings = settingsSteps(context, { schema, readOnly, timezone, routine });
  return preRequest ? [...settings, { text: `SELECT ${quoteName(preRequest)}()`, values: [] }] : settings;
}

function estimateStep({ plan, estimateValues }: DataRequest, planFor: string): Step | null {
  if (plan.estimate === null || plan.media.explain) return null;
  return { text: plan.estimate.text, values: estimateValues ?? [], planFor };
}

/** Uses the planner's estimate if it was requested, unless the exact count is known and not too expensive. */
function withEstimate(
  outcome: Outcome,
  count: Preferences["count"],
  row: Row | undefined,
  { config }: RunContext,
): Outcome {
  const isEnough = count === "estimated" && config.maxRows !== null && (outcome.total ?? 0) <= config.maxRows;
  if (isEnough) return outcome;
  const estimated = Number(JSON.parse(row?.["QUERY PLAN"] ?? "[]")[0]?.Plan?.["Plan Rows"] ?? 0);
  return { ...outcome, total: count === "planned" ? estimated : Math.max(estimated, outcome.total ?? 0) };
}
