import { defaultRestConfig, type RestConfig } from "#backend/rest/rest-config.ts";
import type { QualifiedName } from "#backend/rest/schema-cache/types.ts";
import { type Environment, fail, refuse, type Variables } from "./variables.ts";

/** The configurable settings of rest/v1, as PostgREST names them. */
export type RestSettings = Omit<
  RestConfig,
  "basePath" | "requireApiKey" | "onReloadConfig" | "onQuery" | "onRefusal"
> & {
  /** Whether each request's main SQL statement is logged. */
  logQuery: boolean;
};

/** The database connection pool. */
export type PoolSettings = ReturnType<typeof readPoolSettings>;

const anyCount = { min: 1, max: 2 ** 31 - 1 };
const anySeconds = { min: 1, max: 2 ** 31 - 1 };

export function readPoolSettings(variables: Variables) {
  return {
    /** Maximum connections. */
    size: variables.integer("db-pool", anyCount) ?? 10,
    /** Milliseconds that a request waits for a connection. */
    acquireTimeout: (variables.integer("db-pool-acquisition-timeout", anySeconds) ?? 10) * 1000,
    /** Seconds after which an unused connection is closed. */
    idleTime:
      variables.integer("db-pool-max-idletime", anySeconds) ??
      variables.integer("db-pool-timeout", anySeconds) ??
      30,
    /** Seconds after which a connection is replaced. */
    lifetime: variables.integer("db-pool-max-lifetime", anySeconds) ?? 1800,
    /** Whether statements stay prepared, which a pooler in transaction mode does not support. */
    prepared: variables.boolean("db-prepared-statements") ?? true,
    /** If false, the process exits when it loses the database. */
    recovers: variables.boolean("db-pool-automatic-recovery") ?? true,
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
    anonRole: variables.text("db-anon-role"),
    preRequest: qualifiedName(variables.text("db-pre-request", "pre-request")),
    maxRows: variables.integer("db-max-rows", anyCount) ?? variables.integer("max-rows", anyCount),
    transactionEnd: variables.oneOf("db-tx-end", transactionEnds) ?? "commit",
    aggregates: variables.boolean("db-aggregates-enabled") ?? false,
    plan: variables.boolean("db-plan-enabled") ?? false,
    hoistedSettings: variables.list("db-hoisted-tx-settings") ?? defaultRestConfig.hoistedSettings,
    appSettings: readAppSettings(environment),
    channel:
      (variables.boolean("db-channel-enabled") ?? true) ? (variables.text("db-channel") ?? "pgrst") : null,
    logQuery: variables.oneOf("log-query", ["disabled", "main-query"]) === "main-query",
    rootSpec: variables.text("db-root-spec", "root-spec"),
    openapi: variables.oneOf("openapi-mode", openApiModes) ?? "follow-privileges",
    openapiUrl: readProxyUrl(variables),
    openapiSecurity: variables.boolean("openapi-security-active") ?? false,
    serverTiming: variables.boolean("server-timing-enabled") ?? false,
    errorVerbosity: variables.oneOf("client-error-verbosity", ["verbose", "minimal"]) ?? "verbose",
    legacyTargetNames:
      variables.boolean("url-use-legacy-target-names") ?? defaultRestConfig.legacyTargetNames,
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
  const schemas = variables.list("db-schemas", "db-schema") ?? ["public"];
  const forbidden = schemas.find((schema) => schema === "pg_catalog" || schema === "information_schema");
  if (forbidden) fail("db-schemas", `does not allow schema ${forbidden}`);
  if (schemas.includes("")) fail("db-schemas", "has an empty name between its commas");
  return schemas;
}

function readSearchPath(variables: Variables): string[] {
  const text = variables.textOrEmpty("db-extra-search-path") ?? "public";
  return text === "" ? [] : text.split(",").map((name) => name.trim());
}

/** `schema.name`, or a bare name that the search path resolves. */
export function qualifiedName(text: string | null): QualifiedName | null {
  if (text === null) return null;
  const dot = text.indexOf(".");
  return dot < 0 ? { schema: "", name: text } : { schema: text.slice(0, dot), name: text.slice(dot + 1) };
}

function readProxyUrl(variables: Variables): string | null {
  const url = variables.text("openapi-server-proxy-uri");
  if (url === null || /^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(url)) return url;
  return fail("openapi-server-proxy-uri", "must be an address such as https://example.com:8443/basePath");
}
