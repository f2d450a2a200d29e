import { dirname, join } from "node:path";
import { createSmtpMailer, type Mailer } from "#backend/auth/messages/mailer.ts";
import { createSmsProvider } from "#backend/auth/messages/sms-providers.ts";
import type { Log } from "#backend/log/log.ts";
import { openStore } from "#backend/storage/files/open-store.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import type { BackendOptions } from "./backend-options.ts";
import type { LoneAuthSettings } from "./configuration/lone-auth-settings.ts";
import type { ServiceSettings } from "./configuration/service-settings.ts";

/** The services for any database, as the upstream services' variables describe them; nothing need be prepared in it. */
export async function loneOptions(settings: ServiceSettings, log: Log): Promise<BackendOptions> {
  const { databaseUrl, poolSize, acquireTimeout, corsOrigins, rest, auth, storage, functions, realtime } =
    settings;
  const { secret, ...tokens } = settings.tokens;
  return {
    databaseUrl,
    databaseConnections: poolSize,
    guestShare: 1,
    acquireTimeout,
    jwtSecret: secret,
    ...(auth && { signingKeys: auth.signing.keys }),
    ...(auth?.signing.secretId && { jwtSecretId: auth.signing.secretId }),
    tokens,
    requireApiKey: false,
    corsOrigins,
    addressHeader: settings.addressHeader,
    rest: rest && { ...rest, basePath: "" },
    ...(auth && { auth: authOptions(auth, log) }),
    ...(storage && { storage: await storageOptions(storage, log) }),
    ...(functions && { functions: { ...functions, packages: PACKAGES, keys: await apiKeys(settings) } }),
    realtime: realtime && { ...realtime, log },
    ...(realtime && { changeFeedUrl: databaseUrl }),
    log,
  };
}

function authOptions(
  {
    databaseUrl,
    poolSize,
    config,
    sealingKeys,
    smtp,
    smsProvider: { provider: smsProvider, texts },
  }: LoneAuthSettings,
  log: Log,
): NonNullable<BackendOptions["auth"]> {
  return {
    databaseUrl,
    ...(poolSize !== null && { databaseConnections: poolSize }),
    siteName: new URL(config.siteUrl).hostname,
    ...config,
    isIssuer: null,
    requireRevocations: false,
    sealingKeys,
    mailer: smtp ? createSmtpMailer(smtp.url, smtp.from) : noMailer,
    // A hook takes the place of any provider, as upstream.
    sms: config.hooks?.sendSms ? null : smsProvider && createSmsProvider(smsProvider, texts),
    log,
  };
}

async function storageOptions(
  { folder, s3, fileSizeLimit }: NonNullable<ServiceSettings["storage"]>,
  log: Log,
): Promise<NonNullable<BackendOptions["storage"]>> {
  return {
    workFolder: folder,
    store: await openStore(join(folder, "files"), s3),
    log,
    ...(fileSizeLimit !== null && { fileSizeLimit }),
  };
}

const PACKAGES = dirname(import.meta.dirname);

/** For functions, where one secret signs; tokens of another issuer's keys nobody can sign here. */
async function apiKeys({ rest, tokens: { secret } }: ServiceSettings) {
  const anonRole = rest?.anonRole ?? null;
  if (typeof secret !== "string") return {};
  return {
    ...(anonRole !== null && { anonKey: await signToken({ role: anonRole }, secret) }),
    serviceRoleKey: await signToken({ role: "service_role" }, secret),
  };
}

const noMailer: Mailer = {
  send: () => Promise.reject(new Error("GOTRUE_SMTP_HOST is not set")),
  close: () => undefined,
};
