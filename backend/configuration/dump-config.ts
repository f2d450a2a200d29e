import type { PoolSettings, RestSettings } from "./rest-settings.ts";
import type { ServiceSettings } from "./service-settings.ts";
import { type Environment, Variables } from "./variables.ts";

/** Replaces secrets in output that is served over the network. */
const HIDDEN = "(hidden)";

type Line = [name: string, value: string | number | boolean];

/** The PostgREST settings in effect, in the format of its configuration file; empty if rest is not served. */
export function dumpConfig(
  { rest, pool, ...settings }: ServiceSettings,
  environment: Environment,
  { secrets }: { secrets: boolean },
): string {
  if (rest === null) return "";
  const set = new Variables(environment);
  const secret = (text: string) => (text === "" || secrets ? text : HIDDEN);
  const lines: Line[] = [
    ["client-error-verbosity", rest.errorVerbosity],
    ...databaseLines(rest, pool, set),
    ["db-uri", secret(set.text("PGRST_DB_URI") ?? "postgresql://")],
    ["jwt-aud", settings.tokens.audience ?? ""],
    ["jwt-role-claim-key", settings.tokens.roleClaimPath],
    ["jwt-secret", secret(set.text("PGRST_JWT_SECRET") ?? "")],
    ["jwt-secret-is-base64", set.boolean("PGRST_JWT_SECRET_IS_BASE64") ?? false],
    ["log-level", settings.logLevel],
    ["log-query", rest.logQuery ? "main-query" : "disabled"],
    ["openapi-mode", rest.openapi],
    ["openapi-security-active", rest.openapiSecurity],
    ["openapi-server-proxy-uri", rest.openapiUrl ?? ""],
    ...serverLines(settings, rest, set),
    ...rest.appSettings.map(([name, value]): Line => [name, secret(value)]),
  ];
  return lines.map(([name, value]) => `${name} = ${shown(value)}\n`).join("");
}

function databaseLines(rest: RestSettings, pool: PoolSettings, set: Variables): Line[] {
  return [
    ["db-aggregates-enabled", rest.aggregates],
    ["db-anon-role", rest.anonRole ?? ""],
    ["db-channel", set.text("PGRST_DB_CHANNEL") ?? "pgrst"],
    ["db-channel-enabled", rest.channel !== null],
    ["db-extra-search-path", rest.extraSearchPath.join(",")],
    ["db-hoisted-tx-settings", rest.hoistedSettings.join(",")],
    ["db-max-rows", rest.maxRows ?? ""],
    ["db-plan-enabled", rest.plan],
    ["db-pool", pool.size],
    ["db-pool-acquisition-timeout", pool.acquireTimeout / 1000],
    ["db-pool-max-lifetime", pool.lifetime],
    ["db-pool-max-idletime", pool.idleTime],
    ["db-pool-automatic-recovery", pool.recovers],
    ["db-pre-request", set.text("PGRST_DB_PRE_REQUEST", "PGRST_PRE_REQUEST") ?? ""],
    ["db-prepared-statements", pool.prepared],
    ["db-root-spec", rest.rootSpec ?? ""],
    ["db-schemas", rest.schemas.join(",")],
    ["db-config", set.boolean("PGRST_DB_CONFIG") ?? true],
    ["db-pre-config", set.text("PGRST_DB_PRE_CONFIG") ?? ""],
    ["db-tx-end", rest.transactionEnd],
  ];
}

function serverLines(
  { corsOrigins, port, socket, adminPort }: Omit<ServiceSettings, "rest" | "pool">,
  rest: RestSettings,
  set: Variables,
): Line[] {
  return [
    ["server-cors-allowed-origins", corsOrigins?.join(",") ?? ""],
    ["server-host", set.text("PGRST_SERVER_HOST") ?? "!4"],
    ["server-port", port],
    ["server-trace-header", set.text("PGRST_SERVER_TRACE_HEADER") ?? ""],
    ["server-timing-enabled", rest.serverTiming],
    ["server-unix-socket", socket?.path ?? ""],
    ["server-unix-socket-mode", set.text("PGRST_SERVER_UNIX_SOCKET_MODE") ?? "660"],
    ["admin-server-host", set.text("PGRST_ADMIN_SERVER_HOST", "PGRST_SERVER_HOST") ?? "!4"],
    ["admin-server-port", adminPort ?? ""],
  ];
}

function shown(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  return `"${value.replace(/[\\"]/g, "\\$&").replaceAll("$", "$$$$")}"`;
}
