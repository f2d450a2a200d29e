import { toHeaderText } from "#backend/http/header-text.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { logText } from "#backend/log/log-text.ts";
import type { Database } from "#backend/postgres/database.ts";
import { DatabaseError } from "#backend/postgres/database-error.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { type ApiError, errorResponse } from "./api-error.ts";
import { authenticate, withoutKey } from "./authenticate.ts";
import { describeRoot, respondToOptions } from "./describe.ts";
import { schemaCacheMisses } from "./plan/schema-errors.ts";
import { PlanCache } from "./prepare/plan-cache.ts";
import { type PreparedRequest, prepare } from "./prepare/prepare.ts";
import { limits } from "./query/limits.ts";
import { splitUrl } from "./request/parse-request.ts";
import { INTERNAL_ERROR, toApiError } from "./response/database-errors.ts";
import { defaultRestConfig, type RestConfig } from "./rest-config.ts";
import type { RunContext } from "./run-context.ts";
import { runPlan } from "./run-plan.ts";
import { type SchemaWatch, watchSchema } from "./schema-cache/schema-watch.ts";
import type { SchemaCache } from "./schema-cache/types.ts";
import { ServerTiming } from "./server-timing.ts";

export type RestOptions = Partial<RestConfig> & {
  database: Database;
  verifier: TokenVerifier;
  /** Receives a line for each internal failure. */
  log?: Log | undefined;
};

/** rest/v1: PostgREST's API over one database. Never rejects: every failure becomes a response. */
export type Rest = HttpHandler & {
  readonly schema: SchemaWatch;
  /** Applies another configuration without failing requests in flight. */
  replace(config: RestConfig, verifier: TokenVerifier): Promise<void>;
  close(): Promise<void>;
};

/** The configuration in effect, and what was derived from it. */
type Serving = { config: RestConfig; verifier: TokenVerifier; schema: SchemaWatch; plans: PlanCache };

const PLANS_BYTES = 8 * 1024 * 1024;
/** CORS-exposed response headers: PostgREST's list. */
const exposedHeaders =
  "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit";

const CHECK_VIOLATION = "23514";
/** SQLSTATEs that a stale schema cache can cause. */
const staleSchemaErrors = new Set(["42P01", "42703", "42883"]);

export function createRest({ database, verifier, log, ...options }: RestOptions): Rest {
  const serve = (config: RestConfig, by: TokenVerifier): Serving => ({
    config,
    verifier: by,
    schema: watchSchema(database, { ...config, log }),
    plans: new PlanCache(PLANS_BYTES),
  });
  let isClosed = false;
  let serving = serve({ ...defaultRestConfig, ...options }, verifier);

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const { config, verifier, schema, plans } = serving;
    const timing = config.serverTiming ? new ServerTiming() : null;
    let identity: Identity | null = null;
    let isAnonymous = true;
    let prepared: PreparedRequest | null = null;
    let response: HttpResponse;
    try {
      timing?.begin("jwt");
      const { path, query } = splitUrl(request.url, config);
      const known = authenticate(request, query, verifier, config);
      const caller = known instanceof Promise ? await known : known;
      identity = caller;
      isAnonymous = caller.role === config.anonRole;
      const asked = { request, path, query: withoutKey(query), identity: caller, timing };
      response = await withFreshSchema(schema, isAnonymous, (cache) => {
        prepared = null;
        timing?.begin("parse");
        const context = { ...asked, cache, config, plans, database };
        prepared = prepare(context);
        return answer(prepared, context);
      });
    } catch (cause) {
      const guard = (prepared as PreparedRequest | null)?.plan?.guard ?? null;
      const error = toApiError(cause, isAnonymous, guard);
      if (error.body.code === INTERNAL_ERROR)
        log?.(logText`rest: a request failed: ${describeCause(cause)}`, "error");
      response = errorResponse(error, config.errorVerbosity);
      if (identity && isCheckViolation(cause)) config.onRefusal?.(identity, cause);
    }
    const ran = (prepared as PreparedRequest | null)?.plan;
    if (ran) config.onQuery?.(ran.statement.text, response.status);
    return finish(request, response, timing, config);
  }

  return {
    handle,
    bodyAt: () => limits.bodyBytes,
    get schema() {
      return serving.schema;
    },
    async replace(config, by) {
      const next = serve(config, by);
      // Loads the schema cache before requests need it; if that fails, requests will report it. Both watches listen for
      // a while, so that no notification is missed in between.
      await Promise.all([next.schema.current().catch(() => {}), next.schema.listens()]);
      // The service was closed meanwhile.
      if (isClosed) return next.schema.close();
      const former = serving;
      serving = next;
      await former.schema.close();
    },
    async close() {
      isClosed = true;
      await serving.schema.close();
    },
  };
}

// A name missing from the schema cache may have been created since: check once for changes, and if there are any, retry.
async function withFreshSchema(
  schema: SchemaWatch,
  isAnonymous: boolean,
  run: (cache: SchemaCache) => HttpResponse | Promise<HttpResponse>,
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

function isCheckViolation(cause: unknown): cause is DatabaseError {
  return cause instanceof DatabaseError && cause.code === CHECK_VIOLATION;
}

function answer(prepared: PreparedRequest, context: RunContext): HttpResponse | Promise<HttpResponse> {
  if (prepared.kind === "data") return runPlan(prepared, context);
  if (prepared.kind === "describe") return describeRoot(prepared, context);
  context.timing?.begin("response");
  return respondToOptions(prepared.action, prepared.schema, context.cache);
}

function mayBeStale(error: ApiError): boolean {
  return schemaCacheMisses.has(error.body.code) || staleSchemaErrors.has(error.body.code);
}

function finish(
  request: HttpRequest,
  response: HttpResponse,
  timing: ServerTiming | null,
  config: RestConfig,
): HttpResponse {
  encodeHead(response);
  if (timing) response.headers["server-timing"] = timing.header();
  if (request.headers.origin !== undefined)
    response.headers["access-control-expose-headers"] = exposedHeaders;
  if (config.traceHeader !== null) {
    const trace = request.headers[config.traceHeader.toLowerCase()];
    if (trace !== undefined) response.headers[config.traceHeader.toLowerCase()] = trace;
  }
  if (request.method === "HEAD") response.body = null;
  return response;
}

/** Names in the database, and what its functions set, may be beyond ASCII. */
function encodeHead(response: HttpResponse): void {
  const { headers, statusText } = response;
  for (const [name, value] of Object.entries(headers))
    headers[name] = typeof value === "string" ? toHeaderText(value) : value.map(toHeaderText);
  if (statusText !== undefined) response.statusText = toHeaderText(statusText);
}
