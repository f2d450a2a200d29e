import { resolve } from "node:path";
import * as v from "valibot";
import { readAuthSettings } from "#backend/configuration/auth-settings.ts";
import { readFunctionsSettings } from "#backend/configuration/functions-settings.ts";
import { readLogFormat } from "#backend/configuration/log-format.ts";
import { readRealtimeSettings } from "#backend/configuration/realtime-settings.ts";
import { readStorageSettings } from "#backend/configuration/storage-settings.ts";
import { watchReads } from "#backend/configuration/watch-reads.ts";
import { isWildcard } from "#backend/http/reachable.ts";
import { Environment, type Values } from "./environment.ts";
import { readErrorReports } from "./error-reports-settings.ts";
import { readMailSettings } from "./mail-settings.ts";
import { readBackupS3, readBackups, readWalArchive } from "./read-backups.ts";
import { readSiteSettings } from "./site-settings.ts";
import { StartError } from "./start-error.ts";
import { readTracing } from "./tracing-settings.ts";
import { defaultWorkers, SPREADS_CONNECTIONS } from "./worker-count.ts";

/** The validated configuration. */
export type ServerConfig = ReturnType<typeof readConfig>;

/** The same configuration with the port of the site running at `address`, which may differ from the configured one. */
export function atAddress(config: ServerConfig, address: string | null): ServerConfig {
  return address ? { ...config, port: Number(new URL(address).port) } : config;
}

/** Base of the links in mails: this machine as long as SITE_URL is not set. */
export function linkBase({ site, siteUrlIsPlaceholder, port }: ServerConfig): string {
  return siteUrlIsPlaceholder ? `http://localhost:${port}` : site.siteUrl;
}

/** Whether the configured site address is https. */
export function isOverHttps({ site, siteUrlIsPlaceholder }: ServerConfig): boolean {
  return !siteUrlIsPlaceholder && site.siteUrl.startsWith("https:");
}

/** Reads the configuration. @throws StartError or ConfigurationError, a sentence that names the invalid variable */
export function readConfig(environment: Record<string, string | undefined> = process.env) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = v.safeParse(Environment, set);
  if (!parsed.success) throw new StartError(describeIssue(parsed.issues[0]));
  const values = parsed.output;
  const watched = watchReads(set, Object.keys(Environment.entries));
  const auth = readAuthSettings(watched.environment);
  return {
    port: values.PORT,
    /** Absent: every address of the machine. */
    host: values.HOST,
    /** Number of processes that serve requests. */
    workers: readWorkers(values, environment.NODE_ENV),
    /** Absolute path. */
    dataDir: resolve(values.DATA_DIR),
    ...readDatabase(values),
    /** Maximum replica lag in seconds. */
    readMaxLag: values.DATABASE_READ_MAX_LAG,
    /** Present: a hosted backend is used, and the bundled one is not started. */
    hosted: readHosted(values),
    /** Absent: generated once and kept in the data folder. */
    jwtSecret: values.JWT_SECRET,
    /**
     * Encrypt the secrets of second factors; the first key encrypts new ones. Absent: generated once and kept in the
     * data folder.
     */
    sealingKeys: values.SEALING_KEY,
    mail: readMailSettings(values, auth),
    /** Settings from the hosted service's own variables (`GOTRUE_…`); they override everything else. */
    auth,
    /**
     * The same for realtime. Only private channels that a policy names exist, so nobody can get around the chat's
     * filter, reports and mutes.
     */
    realtime: { privateOnly: true, ...readRealtimeSettings(watched.environment) },
    /** Maximum rows per read of rest/v1. */
    maxRows: values.PGRST_DB_MAX_ROWS,
    /** Where uploaded files are stored. */
    storage: readStorageSettings(watched.environment),
    /** Limits of functions. */
    functions: readFunctionsSettings(watched.environment),
    /** Minimum account age, in seconds, for rating others. */
    ratingMinAccountAge: values.RATING_MIN_ACCOUNT_AGE,
    /** How many hours a new account is limited to quick chat. */
    newAccountHours: values.CHAT_NEW_ACCOUNT_HOURS,
    /** Which value changes need a second person's approval (P111). */
    secondPerson: {
      /** Changes by more than this many percent. */
      largePercent: values.VALUES_LARGE_CHANGE_PERCENT,
      /** Changes to this many of the most valuable items. */
      dearItems: values.VALUES_DEAR_ITEMS,
      /** Changes by an editor with fewer published changes than this. */
      newEditorChanges: values.VALUES_NEW_EDITOR_CHANGES,
    },
    /** Webhook that gets notices for editors, in Discord's format. */
    editorsWebhook: values.EDITORS_WEBHOOK_URL ?? null,
    /** Languages of the words allowed in chat; one file each in `supabase/vocabularies`. */
    chatLanguages: values.CHAT_LANGUAGES,
    /** Public settings that pages show; see `app/features/site/site-config.ts`. */
    site: readSiteSettings(values, auth),
    /** SITE_URL is not set: canonical links use a placeholder. */
    siteUrlIsPlaceholder: !set.SITE_URL,
    /** Contact messages were to be mailed, but no mail server is set: they are stored instead. */
    contactMailIsMissing: values.CONTACT_DELIVERY === "email" && !values.SMTP_URL,
    development: environment.NODE_ENV === "development",
    logFormat: readLogFormat(watched.environment),
    ...readBackups(values),
    ...readWalArchive(values),
    /** The S3 that backups go to or are restored from. */
    backupS3: readBackupS3(values),
    /** Where metrics are served; absent: nowhere, and nothing is counted. */
    ...readMetrics(values),
    ...readTracing(values),
    ...readErrorReports(values),
    /** Whether to log each response. */
    accessLog: values.ACCESS_LOG === "on",
    /** The header in which a proxy passes a request id; null for none. */
    requestIdHeader: values.REQUEST_ID_HEADER ?? null,
    // Keep these last: they depend on which variables were read above.
    /** Names of all variables that the site reads. */
    variables: watched.names(),
    /** A sentence for each variable that is set but has no effect. */
    unread: watched.describeUnread(),
  };
}

function readWorkers({ WORKERS: chosen }: Values, mode: string | undefined): number {
  if (mode === "development") return 1;
  if (chosen !== undefined && chosen > 1 && !SPREADS_CONNECTIONS)
    throw new StartError("WORKERS must be 1 on this system: only Linux spreads connections over processes.");
  return chosen ?? defaultWorkers();
}

function readMetrics({ PORT, HOST, METRICS_PORT: port, METRICS_HOST: host }: Values) {
  if (port === undefined) return {};
  const isSameHost = host === HOST || isWildcard(host) || isWildcard(HOST);
  if (port !== 0 && port === PORT && isSameHost)
    throw new StartError("METRICS_PORT must not be the same as PORT.");
  return { metrics: { port, host } };
}

type Databases = {
  /** Direct connection, past any pooler. Absent: the embedded PostgreSQL. */
  databaseUrl?: string;
  /** A transaction pooler in front of it; the login in the URL is ignored. */
  poolerUrl?: string;
  /** A streaming replica for reads without a token; the login in the URL is ignored. */
  readUrl?: string;
};

/** `DATABASE_URL` is the pooler if a direct URL is set too. */
function readDatabase({
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: directUrl,
  DATABASE_READ_URL: readUrl,
  SUPABASE_URL: hosted,
}: Values): Databases {
  if (readUrl && hosted) throw new StartError("DATABASE_READ_URL and SUPABASE_URL are both set: unset one.");
  if (readUrl && !url)
    throw new StartError("DATABASE_READ_URL is set, so DATABASE_URL must name its primary as well.");
  const read = readUrl ? { readUrl } : {};
  if (!directUrl) return url ? { databaseUrl: url, ...read } : {};
  if (hosted) throw new StartError("DATABASE_DIRECT_URL and SUPABASE_URL are both set: unset one.");
  if (!url) throw new StartError("DATABASE_DIRECT_URL is set, so DATABASE_URL must name the pooler as well.");
  return { databaseUrl: directUrl, poolerUrl: url, ...read };
}

function readHosted({
  SUPABASE_URL: url,
  SUPABASE_ANON_KEY: anonKey,
  DATABASE_URL,
}: Values): { url: string; anonKey: string } | undefined {
  if (!url && !anonKey) return undefined;
  if (!anonKey) throw new StartError("SUPABASE_URL is set, so SUPABASE_ANON_KEY must be set as well.");
  if (!url) throw new StartError("SUPABASE_ANON_KEY is set, so SUPABASE_URL must be set as well.");
  if (DATABASE_URL)
    throw new StartError(
      "DATABASE_URL and SUPABASE_URL are both set: the site uses one or the other, so unset one.",
    );
  return { url: url.replace(/\/+$/, ""), anonKey };
}

/** Leaves out the value, which may be a password. */
function describeIssue(issue: v.BaseIssue<unknown>): string {
  return `${String(issue.path?.[0]?.key)} ${issue.message}.`;
}
