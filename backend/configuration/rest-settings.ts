import { defaultRestConfig, type RestConfig } from "#backend/rest/rest-config.ts";
import type { QualifiedName } from "#backend/rest/schema-cache/types.ts";
import { type Environment, refuse, type Variables } from "./variables.ts";

/** The configurable settings of rest/v1, as PostgREST names them. */
export type RestSettings = Omit<
  RestConfig,
  "basePath" | "requireApiKey" | "onReloadConfig" | "onQuery" | "onRefusal" | "estimates"
> & {
  /** Whether each request's main SQL statement is logged. */
  logQuery: boolean;
};

/** The database connection pool. */
export type PoolSettings = ReturnType<typeof readPoolSettings>;

const anyCount = { min: 1, max: 2 ** 31 - 1 };
/** As many seconds as fit a timer of Node: a longer one would end at once. */
const timerSeconds = { min: 1, max: Math.floor((2 ** 31 - 1) / 1000) };

export function readPoolSettings(variables: Variables) {
  return {
    /** Maximum connections. */
    size: variables.integer("PGRST_DB_POOL", anyCount) ?? 10,
    /** Milliseconds that a request waits for a connection. */
    acquireTimeout: (variables.integer("PGRST_DB_POOL_ACQUISITION_TIMEOUT", timerSeconds) ?? 10) * 1000,
    /** Seconds after which an unused connection is closed. */
    idleTime:
      variables.integer("PGRST_DB_POOL_MAX_IDLETIME", timerSeconds) ??
      variables.integer("PGRST_DB_POOL_TIMEOUT", timerSeconds) ??
      30,
    /** Seconds after which a connection is replaced. */
    lifetime: variables.integer("PGRST_DB_POOL_MAX_LIFETIME", timerSeconds) ?? 1800,
    /** Whether statements stay prepared, which a pooler in transaction mode does not support. */
    prepared: variables.boolean("PGRST_DB_PREPARED_STATEMENTS") ?? true,
    /** If false, the process exits when it loses the database. */
    recovers: variables.boolean("PGRST_DB_POOL_AUTOMATIC_RECOVERY") ?? true,
  };
}

/** Reads PostgREST's variables for rest/v1, with its defaults. */
export function readRestSettings(
  variables: Variables,
  environment: Environment,
): Omit<RestSettings, "traceHeader"> {
  return {
    schemas: readSchemas(variables),
    extraSearchPath: readSearchPath(variables),
    anonRole: variables.text("PGRST_DB_ANON_ROLE"),
    preRequest: qualifiedName(variables.text("PGRST_DB_PRE_REQUEST", "PGRST_PRE_REQUEST")),
    maxRows:
      variables.integer("PGRST_DB_MAX_ROWS", anyCount) ?? variables.integer("PGRST_MAX_ROWS", anyCount),
    transactionEnd: variables.oneOf("PGRST_DB_TX_END", transactionEnds) ?? "commit",
    aggregates: variables.boolean("PGRST_DB_AGGREGATES_ENABLED") ?? false,
    plan: variables.boolean("PGRST_DB_PLAN_ENABLED") ?? false,
    hoistedSettings: variables.list("PGRST_DB_HOISTED_TX_SETTINGS") ?? defaultRestConfig.hoistedSettings,
    appSettings: readAppSettings(environment),
    channel:
      (variables.boolean("PGRST_DB_CHANNEL_ENABLED") ?? true)
        ? (variables.text("PGRST_DB_CHANNEL") ?? "pgrst")
        : null,
    logQuery: variables.oneOf("PGRST_LOG_QUERY", ["disabled", "main-query"]) === "main-query",
    rootSpec: variables.text("PGRST_DB_ROOT_SPEC", "PGRST_ROOT_SPEC"),
    openapi: variables.oneOf("PGRST_OPENAPI_MODE", openApiModes) ?? "follow-privileges",
    openapiUrl: readProxyUrl(variables),
    openapiSecurity: variables.boolean("PGRST_OPENAPI_SECURITY_ACTIVE") ?? false,
    serverTiming: variables.boolean("PGRST_SERVER_TIMING_ENABLED") ?? false,
    errorVerbosity: variables.oneOf("PGRST_CLIENT_ERROR_VERBOSITY", ["verbose", "minimal"]) ?? "verbose",
    legacyTargetNames:
      variables.boolean("PGRST_URL_USE_LEGACY_TARGET_NAMES") ?? defaultRestConfig.legacyTargetNames,
  };
}

const APP_SETTINGS = "PGRST_APP_SETTINGS_";

/** `PGRST_APP_SETTINGS_NAME` is `app.settings.name` in the database, where setting names are case-insensitive. */
function readAppSettings(environment: Environment): [string, string][] {
  return Object.keys(environment).flatMap((variable): [string, string][] => {
    if (!variable.startsWith(APP_SETTINGS)) return [];
    const name = variable.slice(APP_SETTINGS.length);
    if (!/^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)*$/.test(name))
      refuse(variable, "must end in letters, digits and underscores: it becomes a setting's name");
    return [[`app.settings.${name}`, environment[variable] ?? ""]];
  });
}

const transactionEnds = ["commit", "commit-allow-override", "rollback", "rollback-allow-override"] as const;
const openApiModes = ["follow-privileges", "ignore-privileges", "disabled"] as const;

function readSchemas(variables: Variables): string[] {
  const schemas = variables.list("PGRST_DB_SCHEMAS", "PGRST_DB_SCHEMA") ?? ["public"];
  const forbidden = schemas.find((schema) => schema === "pg_catalog" || schema === "information_schema");
  if (forbidden) refuse("PGRST_DB_SCHEMAS", `does not allow schema ${forbidden}`);
  if (schemas.includes("")) refuse("PGRST_DB_SCHEMAS", "has an empty name between its commas");
  return schemas;
}

function readSearchPath(variables: Variables): string[] {
  const text = variables.textOrEmpty("PGRST_DB_EXTRA_SEARCH_PATH") ?? "public";
  return text === "" ? [] : text.split(",").map((name) => name.trim());
}

/** `schema.name`, or a bare name that the search path resolves. */
export function qualifiedName(text: string | null): QualifiedName | null {
  if (text === null) return null;
  const dot = text.indexOf(".");
  return dot < 0 ? { schema: "", name: text } : { schema: text.slice(0, dot), name: text.slice(dot + 1) };
}

function readProxyUrl(variables: Variables): string | null {
  const url = variables.text("PGRST_OPENAPI_SERVER_PROXY_URI");
  if (url === null || /^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(url)) return url;
  return refuse(
    "PGRST_OPENAPI_SERVER_PROXY_URI",
    "must be an address such as https://example.com:8443/basePath",
  );
}
