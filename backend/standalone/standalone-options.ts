import { dirname } from "node:path";
import { createSmtpMailer } from "#backend/auth/messages/mailer.ts";
import { createSmsProvider } from "#backend/auth/messages/sms-providers.ts";
import type { BackendOptions } from "#backend/backend-options.ts";
import type { ServiceSettings } from "#backend/configuration/service-settings.ts";
import type { StandaloneAuthSettings } from "#backend/configuration/standalone-auth-settings.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import type { RestConfig } from "#backend/rest/rest-config.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { storageOptions } from "../open-storage.ts";
import { isLogged } from "./log-level.ts";

type OnReloadConfig = RestConfig["onReloadConfig"];

/** Options to serve any database, from the upstream services' variables; the database needs no preparation. */
export async function standaloneOptions(
  settings: ServiceSettings,
  log: Log,
  { onLost, onReloadConfig }: { onLost: (() => void) | undefined; onReloadConfig: OnReloadConfig },
): Promise<BackendOptions> {
  const { databaseUrl, pool, corsOrigins, auth, storage, functions, realtime } = settings;
  const { secret, ...tokens } = settings.tokens;
  return {
    databaseUrl,
    databaseConnections: pool.size,
    guestShare: 1,
    acquireTimeout: pool.acquireTimeout,
    pool: { ...pool, onLost: pool.recovers ? undefined : onLost },
    jwtSecret: secret,
    ...(auth && { signingKeys: auth.signing.keys }),
    ...(auth?.signing.secretId && { jwtSecretId: auth.signing.secretId }),
    tokens,
    requireApiKey: false,
    corsOrigins,
    addressHeader: settings.addressHeader,
    rest: standaloneRest(settings, log, onReloadConfig),
    ...(auth && { auth: authOptions(auth, log) }),
    ...(storage && { storage: await storageOptions(storage, storage.folder, log) }),
    ...(functions && { functions: { ...functions, packages: PACKAGES, keys: await apiKeys(settings) } }),
    realtime: realtime && { ...realtime, log },
    ...(realtime && { changeFeedUrl: databaseUrl }),
    log,
  };
}

/** rest/v1 at the root, as in PostgREST. */
export function standaloneRest(
  { rest, logLevel }: ServiceSettings,
  log: Log,
  onReloadConfig: OnReloadConfig,
): Exclude<BackendOptions["rest"], undefined> {
  if (rest === null) return null;
  const { logQuery, ...config } = rest;
  const onQuery = (sql: string, status: number) => {
    if (isLogged(status, logLevel)) log(logText`query: ${fromOperator(sql)}`);
  };
  return { ...config, basePath: "", onReloadConfig, onQuery: logQuery ? onQuery : null };
}

function authOptions(
  {
    databaseUrl,
    poolSize,
    config,
    sealingKeys,
    smtp,
    smsProvider: { provider: smsProvider, texts },
  }: StandaloneAuthSettings,
  log: Log,
): NonNullable<BackendOptions["auth"]> {
  return {
    databaseUrl,
    ...(poolSize !== null && { databaseConnections: poolSize }),
    siteName: new URL(config.siteUrl).hostname,
    ...config,
    isIssuer: null,
    requireRevocations: false,
    previousTokenLasts: true,
    sealingKeys,
    mailer: smtp ? createSmtpMailer(smtp.url, smtp.from) : null,
    // A hook takes precedence over any provider, as upstream.
    sms: config.hooks?.sendSms ? null : smsProvider && createSmsProvider(smsProvider, texts),
    log,
  };
}

const PACKAGES = dirname(dirname(import.meta.dirname));

/**
 * API keys for functions, if tokens are signed with a shared secret; with another issuer's keys, none can be signed
 * here.
 */
async function apiKeys({ rest, tokens: { secret } }: ServiceSettings) {
  const anonRole = rest?.anonRole ?? null;
  if (typeof secret !== "string") return {};
  return {
    ...(anonRole !== null && { anonKey: await signToken({ role: anonRole }, secret) }),
    serviceRoleKey: await signToken({ role: "service_role" }, secret),
  };
}
