import type { DatabaseError } from "#backend/postgres/database-error.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { WatchSettings } from "./schema-cache/schema-watch.ts";
import type { QualifiedName } from "./schema-cache/types.ts";

/** Settings of the service; comments name the corresponding PostgREST variable. */
export type RestConfig = WatchSettings & {
  /** Path prefix of all resources: `/rest/v1`, or empty if the service has its own port. */
  basePath: string;
  /** Schemas after the request's schema on the search path (PGRST_DB_EXTRA_SEARCH_PATH). */
  extraSearchPath: readonly string[];
  /** Role of requests without a token; null refuses them (PGRST_DB_ANON_ROLE). */
  anonRole: string | null;
  /** Require an `apikey`, like the hosted gateway. */
  requireApiKey: boolean;
  /** Function called before each main statement (PGRST_DB_PRE_REQUEST). */
  preRequest: QualifiedName | null;
  /** A function's settings that apply to its whole transaction (PGRST_DB_HOISTED_TX_SETTINGS). */
  hoistedSettings: readonly string[];
  /** Settings of every transaction, by full name (PGRST_APP_SETTINGS_…). */
  appSettings: readonly (readonly [name: string, value: string])[];
  /** Called with each main statement and the response status (PGRST_LOG_QUERY). */
  onQuery: ((sql: string, status: number) => void) | null;
  /** PGRST_DB_MAX_ROWS; null for no limit. */
  maxRows: number | null;
  /**
   * Whether `count=planned` and `count=estimated` return the planner's estimate. It is made from statistics of all
   * rows: a caller learns how many there are with a value, also of those that policies hide. Otherwise counts are exact.
   */
  estimates: boolean;
  /** Whether a request ends in commit or rollback, and whether `Prefer: tx=` may choose (PGRST_DB_TX_END). */
  transactionEnd: "commit" | "commit-allow-override" | "rollback" | "rollback-allow-override";
  /** PGRST_DB_AGGREGATES_ENABLED */
  aggregates: boolean;
  /** PGRST_DB_PLAN_ENABLED */
  plan: boolean;
  /** Function called for the root path instead of serving the OpenAPI document (PGRST_DB_ROOT_SPEC). */
  rootSpec: string | null;
  /** PGRST_OPENAPI_MODE */
  openapi: "follow-privileges" | "ignore-privileges" | "disabled";
  /** Base URL in the OpenAPI document; null takes it from the request (PGRST_OPENAPI_SERVER_PROXY_URI). */
  openapiUrl: string | null;
  /** PGRST_OPENAPI_SECURITY_ACTIVE */
  openapiSecurity: boolean;
  /** Adds Server-Timing to responses (PGRST_SERVER_TIMING_ENABLED). */
  serverTiming: boolean;
  /** Request header to echo (PGRST_SERVER_TRACE_HEADER). */
  traceHeader: string | null;
  /** PGRST_CLIENT_ERROR_VERBOSITY */
  errorVerbosity: "verbose" | "minimal";
  /**
   * Called when a check refused what a request would write, after its transaction was rolled back: a constraint, or a
   * function, which may name a constraint too.
   */
  onRefusal?: (identity: Identity, refusal: DatabaseError) => void;
  /** Whether filters may refer to an aliased resource by its table name, with a warning. */
  legacyTargetNames: boolean;
};

export const defaultRestConfig: RestConfig = {
  basePath: "/rest/v1",
  schemas: ["public"],
  extraSearchPath: ["public", "extensions"],
  anonRole: "anon",
  requireApiKey: false,
  preRequest: null,
  hoistedSettings: ["statement_timeout", "plan_filter.statement_cost_limit", "default_transaction_isolation"],
  appSettings: [],
  channel: "pgrst",
  onReloadConfig: null,
  onQuery: null,
  maxRows: null,
  estimates: true,
  transactionEnd: "commit",
  aggregates: false,
  plan: false,
  rootSpec: null,
  openapi: "follow-privileges",
  openapiUrl: null,
  openapiSecurity: false,
  serverTiming: false,
  traceHeader: null,
  errorVerbosity: "verbose",
  legacyTargetNames: true,
};
