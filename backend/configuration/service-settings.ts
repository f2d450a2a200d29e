import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { LogFormat } from "#backend/log/log.ts";
import type { RealtimeConfig } from "#backend/realtime/realtime-config.ts";
import { defaultRestConfig, type RestConfig } from "#backend/rest/rest-config.ts";
import type { QualifiedName } from "#backend/rest/schema-cache/types.ts";
import { parseRoleClaimPath } from "#backend/tokens/role-claim.ts";
import { type FunctionsSettings, readFunctionsSettings } from "./functions-settings.ts";
import { type JwtKeys, readJwtKeys } from "./jwt-keys.ts";
import { readLogFormat } from "./log-format.ts";
import { type LoneAuthSettings, readLoneAuthSettings } from "./lone-auth-settings.ts";
import { readRealtimeSettings } from "./realtime-settings.ts";
import { readStorageSettings, type StorageSettings } from "./storage-settings.ts";
import { ConfigurationError, type Environment, fail, Variables } from "./variables.ts";

/** What the services alone (`npm run backend`) are told by the environment. */
export type ServiceSettings = {
  databaseUrl: string;
  /** Connections at most. */
  poolSize: number;
  /** Milliseconds a request waits for a connection. */
  acquireTimeout: number;
  rest: Omit<RestConfig, "basePath" | "limits" | "requireApiKey">;
  /** auth/v1 beside rest; null for none. */
  auth: LoneAuthSettings | null;
  /** storage/v1 beside rest; null for none. */
  storage: (StorageSettings & { folder: string }) | null;
  /** functions/v1 beside rest; null for none. */
  functions: (FunctionsSettings & { folder: string }) | null;
  tokens: JwtKeys & { audience?: string; roleClaimPath: string };
  /** Limits of realtime; null where it is not switched on. */
  realtime: Partial<RealtimeConfig> | null;
  /** The header in which a proxy names the client's address; null for none. */
  addressHeader: string | null;
  /** null allows every origin. */
  corsOrigins: string[] | null;
  /** Address to listen on; undefined for all. */
  host: string | undefined;
  port: number;
  adminHost: string | undefined;
  /** null for no admin server. */
  adminPort: number | null;
  logLevel: "crit" | "error" | "warn" | "info" | "debug";
  logFormat: LogFormat;
};

const anyPort = { min: 0, max: 65_535 };
const anyCount = { min: 1, max: 2 ** 31 - 1 };

/** Reads the variables of PostgREST, with its defaults; throws a `ConfigurationError` of one sentence. */
export function readServiceSettings(environment: Environment): ServiceSettings {
  const variables = new Variables(environment);
  const host = variables.text("server-host") ?? "!4";
  const port = variables.integer("server-port", anyPort) ?? 3000;
  const auth = readLoneAuthSettings(environment);
  const storage = readStorage(environment);
  const tokens = readTokens(variables);
  // What is signed must not depend on a restart, so it needs a secret that stays.
  if (auth && typeof tokens.secret !== "string")
    throw new ConfigurationError("GOTRUE_DB_DATABASE_URL needs a shared secret in PGRST_JWT_SECRET.");
  if (storage && !tokens.secret)
    throw new ConfigurationError("STORAGE_BACKEND needs a shared secret in PGRST_JWT_SECRET.");
  return {
    databaseUrl: readDatabaseUrl(variables, environment),
    poolSize: variables.integer("db-pool", anyCount) ?? 10,
    acquireTimeout: (variables.integer("db-pool-acquisition-timeout", anyCount) ?? 10) * 1000,
    rest: readRest(variables),
    auth,
    storage,
    functions: readFunctions(environment),
    tokens,
    realtime: new Variables(environment, "REALTIME").boolean("enabled")
      ? readRealtimeSettings(environment)
      : null,
    addressHeader: environment.CLIENT_ADDRESS_HEADER || null,
    corsOrigins: variables.list("server-cors-allowed-origins"),
    host: listenAddress(host),
    port,
    adminHost: listenAddress(variables.text("admin-server-host") ?? host),
    adminPort: readAdminPort(variables, port),
    logLevel: variables.oneOf("log-level", ["crit", "error", "warn", "info", "debug"]) ?? "error",
    logFormat: readLogFormat(environment),
  };
}

function readTokens(variables: Variables): ServiceSettings["tokens"] {
  const audience = readAudience(variables);
  return {
    ...readJwtKeys(variables),
    ...(audience !== null && { audience }),
    roleClaimPath: readRoleClaimPath(variables),
  };
}

function readRest(variables: Variables): ServiceSettings["rest"] {
  return {
    schemas: readSchemas(variables),
    extraSearchPath: readSearchPath(variables),
    anonRole: variables.text("db-anon-role"),
    preRequest: qualifiedName(variables.text("db-pre-request", "pre-request")),
    maxRows: variables.integer("db-max-rows", anyCount) ?? variables.integer("max-rows", anyCount),
    transactionEnd: variables.oneOf("db-tx-end", transactionEnds) ?? "commit",
    aggregates: variables.boolean("db-aggregates-enabled") ?? false,
    plan: variables.boolean("db-plan-enabled") ?? false,
    rootSpec: variables.text("db-root-spec", "root-spec"),
    openapi: variables.oneOf("openapi-mode", openApiModes) ?? "follow-privileges",
    openapiUrl: readProxyUrl(variables),
    openapiSecurity: variables.boolean("openapi-security-active") ?? false,
    serverTiming: variables.boolean("server-timing-enabled") ?? false,
    traceHeader: variables.text("server-trace-header")?.toLowerCase() ?? null,
    errorVerbosity: variables.oneOf("client-error-verbosity", ["verbose", "minimal"]) ?? "verbose",
    legacyTargetNames:
      variables.boolean("url-use-legacy-target-names") ?? defaultRestConfig.legacyTargetNames,
  };
}

/** `STORAGE_BACKEND` switches it on; uploads under way and rendered pictures are in the folder in any case. */
function readStorage(environment: Environment): ServiceSettings["storage"] {
  const variables = new Variables(environment, "STORAGE");
  const backend = variables.oneOf("backend", ["file", "s3"] as const);
  if (backend === null) return null;
  const folder = variables.text("file-backend-path");
  if (folder === null) fail("file-backend-path", "must name a folder for the files", "STORAGE");
  const settings = readStorageSettings(environment);
  if (backend === "s3" && settings.s3 === null) fail("bucket", "must name the bucket to use", "S3");
  return { ...settings, s3: backend === "s3" ? settings.s3 : null, folder };
}

/** `FUNCTIONS_FOLDER` switches it on. */
function readFunctions(environment: Environment): ServiceSettings["functions"] {
  const folder = new Variables(environment, "FUNCTIONS").text("folder");
  if (folder === null) return null;
  if (!existsSync(folder)) fail("folder", "must name a folder such as supabase/functions", "FUNCTIONS");
  return { ...readFunctionsSettings(environment), folder: resolve(folder) };
}

const transactionEnds = ["commit", "commit-allow-override", "rollback", "rollback-allow-override"] as const;
const openApiModes = ["follow-privileges", "ignore-privileges", "disabled"] as const;

function readDatabaseUrl(variables: Variables, environment: Environment): string {
  const url = variables.text("db-uri") ?? environment.DATABASE_URL;
  if (!url) throw new ConfigurationError("PGRST_DB_URI or DATABASE_URL must name the database to serve.");
  if (!url.startsWith("@")) return requirePostgresUrl(url, variables);
  try {
    return requirePostgresUrl(readFileSync(url.slice(1), "utf8").trim(), variables);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    return fail("db-uri", "names a file that cannot be read");
  }
}

function requirePostgresUrl(url: string, variables: Variables): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  const rule = "must be an address such as postgres://user:password@host:5432/database";
  if (variables.text("db-uri") === null) throw new ConfigurationError(`DATABASE_URL ${rule}.`);
  return fail("db-uri", rule);
}

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
function qualifiedName(text: string | null): QualifiedName | null {
  if (text === null) return null;
  const dot = text.indexOf(".");
  return dot < 0 ? { schema: "", name: text } : { schema: text.slice(0, dot), name: text.slice(dot + 1) };
}

function readProxyUrl(variables: Variables): string | null {
  const url = variables.text("openapi-server-proxy-uri");
  if (url === null || /^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(url)) return url;
  return fail("openapi-server-proxy-uri", "must be an address such as https://example.com:8443/basePath");
}

function readAudience(variables: Variables): string | null {
  const audience = variables.text("jwt-aud");
  if (audience?.includes(":") && !URL.canParse(audience)) fail("jwt-aud", "must be a name or a valid URI");
  return audience;
}

function readRoleClaimPath(variables: Variables): string {
  const path = variables.text("jwt-role-claim-key", "role-claim-key") ?? ".role";
  return parseRoleClaimPath(path)
    ? path
    : fail("jwt-role-claim-key", "must be a path such as .role or .app_metadata.roles[0]");
}

function readAdminPort(variables: Variables, port: number): number | null {
  const adminPort = variables.integer("admin-server-port", anyPort);
  if (adminPort !== null && adminPort !== 0 && adminPort === port) {
    fail("admin-server-port", "cannot be the same as PGRST_SERVER_PORT");
  }
  return adminPort;
}

/** Upstream's wildcards: `*` any address, `*4` and `!4` any of IPv4, `*6` and `!6` any of IPv6. */
function listenAddress(host: string): string | undefined {
  if (host === "*") return undefined;
  if (host === "*4" || host === "!4") return "0.0.0.0";
  return host === "*6" || host === "!6" ? "::" : host;
}
