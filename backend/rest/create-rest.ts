import type { HttpHandler, HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { type ApiError, errorResponse } from "./api-error.ts";
import { authenticate, withoutKey } from "./authenticate.ts";
import { describeRoot, respondToOptions } from "./describe.ts";
import { schemaCacheMisses } from "./plan/schema-errors.ts";
import { PlanCache } from "./prepare/plan-cache.ts";
import { type PreparedRequest, type PreparedSources, prepare } from "./prepare/prepare.ts";
import { createTimeZones } from "./prepare/time-zones.ts";
import { splitUrl } from "./request/parse-request.ts";
import { INTERNAL_ERROR, toApiError } from "./response/database-errors.ts";
import { defaultRestConfig, type RestConfig } from "./rest-config.ts";
import { runPlan } from "./run-plan.ts";
import { watchSchema } from "./schema-cache/schema-watch.ts";
import type { SchemaCache } from "./schema-cache/types.ts";

export type RestOptions = Partial<RestConfig> & {
  database: Database;
  verifier: TokenVerifier;
  /** Gets a line for each failure of the service's own. */
  log?: Log | undefined;
};

/** rest/v1: the dialect of PostgREST over one database. It never rejects: whatever goes wrong becomes an answer. */
export type Rest = HttpHandler & {
  /** Reads the schema anew; requests meanwhile are served by the old one. */
  reload(): Promise<void>;
  close(): Promise<void>;
};

const PLANS_BYTES = 8 * 1024 * 1024;
/** SQLSTATEs that a definition newer than the schema cache can cause. */
const staleSchemaErrors = new Set(["42P01", "42703", "42883"]);

export function createRest({ database, verifier, log, ...options }: RestOptions): Rest {
  const config: RestConfig = { ...defaultRestConfig, ...options };
  const schema = watchSchema(database, config.schemas);
  const sources: PreparedSources = {
    config,
    plans: new PlanCache(PLANS_BYTES),
    timeZones: createTimeZones(database),
  };

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const startedAt = config.serverTiming ? performance.now() : 0;
    let isAnonymous = true;
    let prepared: PreparedRequest | null = null;
    let response: HttpResponse;
    try {
      const { path, query } = splitUrl(request.url, config);
      const known = authenticate(request, query, verifier, config);
      const identity = known instanceof Promise ? await known : known;
      isAnonymous = identity.role === config.anonRole;
      response = await withFreshSchema(async (cache) => {
        prepared = null;
        await sources.timeZones.ready(request.headers.prefer);
        prepared = prepare(request, path, withoutKey(query), cache, sources);
        return answer(prepared, request, path, identity, cache);
      }, isAnonymous);
    } catch (cause) {
      const guard = (prepared as PreparedRequest | null)?.plan?.guard ?? null;
      const error = toApiError(cause, isAnonymous, guard);
      if (error.body.code === INTERNAL_ERROR)
        log?.(`rest: a request failed: ${describeCause(cause)}`, "error");
      response = errorResponse(error, config.errorVerbosity);
    }
    return finish(request, response, startedAt, config);
  }

  // What the schema cache does not know may have been created a moment ago: look once, and if so, answer anew.
  async function withFreshSchema(
    run: (cache: SchemaCache) => Promise<HttpResponse>,
    isAnonymous: boolean,
  ): Promise<HttpResponse> {
    const cache = schema.currentNow() ?? (await schema.current());
    try {
      return await run(cache);
    } catch (cause) {
      if (!mayBeStale(toApiError(cause, isAnonymous))) throw cause;
      if (schema.currentNow() === cache && !(await schema.reloadIfChanged())) throw cause;
      return run(await schema.current());
    }
  }

  async function answer(
    prepared: PreparedRequest,
    request: HttpRequest,
    path: string,
    identity: Identity,
    cache: SchemaCache,
  ): Promise<HttpResponse> {
    if (prepared.kind === "data")
      return runPlan(prepared, { request, path, identity, cache, config, database });
    if (prepared.kind === "describe")
      return describeRoot(prepared, { request, path, identity, cache, config, database });
    return respondToOptions(prepared.action, prepared.schema, cache);
  }

  return { handle, bodyAt: () => config.limits.bodyBytes, reload: schema.reload, close: schema.close };
}

function mayBeStale(error: ApiError): boolean {
  return schemaCacheMisses.has(error.body.code) || staleSchemaErrors.has(error.body.code);
}

function finish(
  request: HttpRequest,
  response: HttpResponse,
  startedAt: number,
  config: RestConfig,
): HttpResponse {
  if (config.serverTiming) {
    response.headers["server-timing"] = `response;dur=${(performance.now() - startedAt).toFixed(1)}`;
  }
  if (config.traceHeader !== null) {
    const trace = request.headers[config.traceHeader.toLowerCase()];
    if (trace !== undefined) response.headers[config.traceHeader.toLowerCase()] = trace;
  }
  if (request.method === "HEAD") response.body = null;
  return response;
}
