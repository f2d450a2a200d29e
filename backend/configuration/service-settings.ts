import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseRoleClaimPath } from "#backend/tokens/role-claim.ts";
import { readDatabaseUrls } from "./database-urls.ts";
import { readFunctionsSettings } from "./functions-settings.ts";
import type { Signing } from "./gotrue/signing.ts";
import { type JwtKeys, MIN_SECRET_LENGTH, readJwtKeys } from "./jwt-keys.ts";
import { readListenSettings } from "./listen-settings.ts";
import { readLogFormat } from "./log-format.ts";
import { readRealtimeSettings } from "./realtime-settings.ts";
import { readPoolSettings, readRestSettings } from "./rest-settings.ts";
import { readStandaloneAuthSettings, type StandaloneAuthSettings } from "./standalone-auth-settings.ts";
import { readStorageSettings } from "./storage-settings.ts";
import { type Environment, refuse, Variables } from "./variables.ts";

/** The standalone services' settings, from the environment (`npm run backend`). */
export type ServiceSettings = ReturnType<typeof readServiceSettings>;

/** Reads the variables of PostgREST and GoTrue, with their defaults; throws a one-sentence `ConfigurationError`. */
export function readServiceSettings(environment: Environment) {
  const variables = new Variables(environment);
  const urls = readDatabaseUrls(environment);
  const served = { rest: urls.rest !== null, auth: urls.auth !== null };
  const auth = urls.auth === null ? null : readStandaloneAuthSettings(environment, urls.auth, served);
  const tokens = readTokens(variables, auth?.signing ?? null);
  const storage = readStorage(environment, variables);
  if (storage) requireSecret("STORAGE_BACKEND", served, tokens);
  const isLive = variables.boolean("REALTIME_ENABLED");
  if (isLive) requireRest("REALTIME_ENABLED", served);
  const addressHeader = environment.CLIENT_ADDRESS_HEADER || null;
  const listening = readListenSettings(environment, served);
  return {
    ...listening,
    /** Rest's, or auth's if there is no rest. */
    databaseUrl: (urls.rest ?? urls.auth) as string,
    pool: readPoolSettings(variables),
    /** Null if only auth is served. */
    rest: served.rest
      ? { ...readRestSettings(variables, environment), traceHeader: listening.requestIdHeader }
      : null,
    /** auth/v1; null for none. */
    auth,
    /** storage/v1, with rest; null for none. */
    storage,
    /** functions/v1, with rest; null for none. */
    functions: readFunctions(environment, variables),
    tokens,
    /** Limits of realtime; null if it is disabled. */
    realtime: isLive ? readRealtimeSettings(environment) : null,
    /** The header in which a proxy passes the client's address; null for none. */
    addressHeader,
    /** Null allows every origin. */
    corsOrigins: variables.list("PGRST_SERVER_CORS_ALLOWED_ORIGINS"),
    logFormat: readLogFormat(environment),
    /** A sentence for each setting that is accepted but should be changed. */
    notes: notesOn(tokens, auth, addressHeader),
  };
}

type Tokens = JwtKeys & { audience?: string; algorithms?: string[]; roleClaimPath: string };

type Served = { rest: boolean; auth: boolean };

function requireRest(variable: string, { rest }: Served): void {
  if (!rest) refuse(variable, "needs PGRST_DB_URI, a login that may take the roles of the tokens");
}

/** Signed URLs must survive a restart, so a permanent secret is required. */
function requireSecret(variable: string, served: Served, { secret }: Tokens): void {
  requireRest(variable, served);
  if (!secret) refuse(variable, "needs a shared secret in PGRST_JWT_SECRET");
}

/** GoTrue accepts a secret of any length (RFC 7518 §3.2 requires 32 bytes); so do we, with a warning. */
function notesOn(
  { secret }: Tokens,
  auth: StandaloneAuthSettings | null,
  addressHeader: string | null,
): string[] {
  const isShort = secret !== undefined && secret.length < MIN_SECRET_LENGTH;
  const note = `GOTRUE_JWT_SECRET has fewer than ${MIN_SECRET_LENGTH} characters: whoever has a token can find it by trying.`;
  const isNamed = auth === null || auth.config.addressHeader || addressHeader !== null;
  const nameless =
    "GOTRUE_RATE_LIMIT_HEADER is not set: behind a proxy, all visitors have its address and share one limit.";
  const ofProvider = auth?.config.hooks?.sendSms ? null : auth?.smsProvider.note;
  return [...(isShort ? [note] : []), ...(isNamed ? [] : [nameless]), ...(ofProvider ? [ofProvider] : [])];
}

/** All services verify tokens with the same keys, whichever variables they come from. */
function readTokens(variables: Variables, signing: Signing | null): Tokens {
  const audience = readAudience(variables);
  const { secret, ...others } = readJwtKeys(variables);
  const own = signing?.secret ?? null;
  if (own !== null && secret !== undefined && !Buffer.from(secret).equals(Buffer.from(own))) {
    refuse("GOTRUE_JWT_SECRET", "must be the same as PGRST_JWT_SECRET");
  }
  const shared = own ?? secret;
  if (signing && typeof shared !== "string") {
    refuse(
      "GOTRUE_JWT_SECRET",
      "must be set, as the secret that signs tokens and that other keys are derived from",
    );
  }
  return {
    ...others,
    ...(shared !== undefined && { secret: shared }),
    ...(audience !== null && { audience }),
    ...(signing?.algorithms && { algorithms: signing.algorithms }),
    roleClaimPath: readRoleClaimPath(variables),
  };
}

/** `STORAGE_BACKEND` enables it; uploads in progress and rendered images are in the folder in any case. */
function readStorage(environment: Environment, variables: Variables) {
  const backend = variables.oneOf("STORAGE_BACKEND", ["file", "s3"] as const);
  if (backend === null) return null;
  const folder = variables.text("STORAGE_FILE_BACKEND_PATH");
  if (folder === null) refuse("STORAGE_FILE_BACKEND_PATH", "must name a folder for the files");
  const settings = readStorageSettings(environment);
  if (backend === "s3" && settings.s3 === null) refuse("S3_BUCKET", "must name the bucket to use");
  return { ...settings, s3: backend === "s3" ? settings.s3 : null, folder };
}

/** `FUNCTIONS_FOLDER` enables it. */
function readFunctions(environment: Environment, variables: Variables) {
  const folder = variables.text("FUNCTIONS_FOLDER");
  if (folder === null) return null;
  if (!existsSync(folder)) refuse("FUNCTIONS_FOLDER", "must name a folder such as supabase/functions");
  return { ...readFunctionsSettings(environment), folder: resolve(folder) };
}

function readAudience(variables: Variables): string | null {
  const audience = variables.text("PGRST_JWT_AUD");
  if (audience?.includes(":") && !URL.canParse(audience))
    refuse("PGRST_JWT_AUD", "must be a name or a valid URI");
  return audience;
}

function readRoleClaimPath(variables: Variables): string {
  const path = variables.text("PGRST_JWT_ROLE_CLAIM_KEY", "PGRST_ROLE_CLAIM_KEY") ?? ".role";
  return parseRoleClaimPath(path)
    ? path
    : refuse("PGRST_JWT_ROLE_CLAIM_KEY", "must be a path such as .role or .app_metadata.roles[0]");
}
