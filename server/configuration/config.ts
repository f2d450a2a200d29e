import { resolve } from "node:path";
import * as v from "valibot";
import { readAuthSettings } from "#backend/configuration/auth-settings.ts";
import { readFunctionsSettings } from "#backend/configuration/functions-settings.ts";
import { readLogFormat } from "#backend/configuration/log-format.ts";
import { readRealtimeSettings } from "#backend/configuration/realtime-settings.ts";
import { readStorageSettings } from "#backend/configuration/storage-settings.ts";
import { ConfigurationError } from "#backend/configuration/variables.ts";
import { watchReads } from "#backend/configuration/watch-reads.ts";
import { Environment, type Values } from "./environment.ts";
import { readErrorReports } from "./error-reports-settings.ts";
import { readMailSettings } from "./mail-settings.ts";
import { readBackupS3, readBackups, readWalArchive } from "./read-backups.ts";
import { readSiteSettings } from "./site-settings.ts";
import { StartError } from "./start-error.ts";
import { readTracing } from "./tracing-settings.ts";
import { defaultWorkers, SPREADS_CONNECTIONS } from "./worker-count.ts";

/** What the operator chose, checked. */
export type ServerConfig = ReturnType<typeof readConfig>;

/** The same with the port of the site that runs at `address`, which may have been told another one, or to take any. */
export function atAddress(config: ServerConfig, address: string | null): ServerConfig {
  return address ? { ...config, port: Number(new URL(address).port) } : config;
}

/** Where links in mails lead: to this machine while the operator named no address. */
export function linkBase({ site, siteUrlIsPlaceholder, port }: ServerConfig): string {
  return siteUrlIsPlaceholder ? `http://localhost:${port}` : site.siteUrl;
}

/** Whether the operator said that the site is served by https. */
export function isOverHttps({ site, siteUrlIsPlaceholder }: ServerConfig): boolean {
  return !siteUrlIsPlaceholder && site.siteUrl.startsWith("https:");
}

/** Reads the configuration; throws a `StartError` of one sentence that names the variable that is wrong. */
export function readConfig(environment: Record<string, string | undefined> = process.env) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = v.safeParse(Environment, set);
  if (!parsed.success) throw new StartError(describeIssue(parsed.issues[0]));
  const values = parsed.output;
  const watched = watchReads(set, Object.keys(Environment.entries));
  const auth = orStartError(() => readAuthSettings(watched.environment));
  return {
    port: values.PORT,
    /** Absent: every address of the machine. */
    host: values.HOST,
    /** Processes that serve. */
    workers: readWorkers(values, environment.NODE_ENV),
    /** Absolute. */
    dataDir: resolve(values.DATA_DIR),
    ...readDatabase(values),
    /** Seconds that the replica may be behind. */
    readMaxLag: values.DATABASE_READ_MAX_LAG,
    /** Present: that backend is used, and none of ours is started. */
    hosted: readHosted(values),
    /** Absent: made once and kept in the data folder. */
    jwtSecret: values.JWT_SECRET,
    /** Seal second factors' secrets, the first one new ones; absent: made once and kept in the data folder. */
    sealingKeys: values.SEALING_KEY,
    mail: readMailSettings(values, auth),
    /** What the hosted service's own variables (`GOTRUE_…`) say; they win over everything else. */
    auth,
    /** The same for realtime. Nothing is said on the site past its filter, its reports and its mutes: only channels that a policy names are there. */
    realtime: { privateOnly: true, ...orStartError(() => readRealtimeSettings(watched.environment)) },
    /** Rows that one read of rest/v1 gives at most. */
    maxRows: values.PGRST_DB_MAX_ROWS,
    /** Where uploaded files are. */
    storage: orStartError(() => readStorageSettings(watched.environment)),
    /** Limits of functions. */
    functions: orStartError(() => readFunctionsSettings(watched.environment)),
    /** Seconds that an account must exist before it may rate others. */
    ratingMinAccountAge: values.RATING_MIN_ACCOUNT_AGE,
    /** How long a new account has quick talk only. */
    newAccountHours: values.CHAT_NEW_ACCOUNT_HOURS,
    /** Which changes of values wait for a second person (P111). */
    secondPerson: {
      /** Changes by more than so many percent. */
      largePercent: values.VALUES_LARGE_CHANGE_PERCENT,
      /** Those of so many of the dearest items. */
      dearItems: values.VALUES_DEAR_ITEMS,
      /** Those of an editor of whom fewer were published. */
      newEditorChanges: values.VALUES_NEW_EDITOR_CHANGES,
    },
    /** Is told what editors should hear of, in Discord's format. */
    editorsWebhook: values.EDITORS_WEBHOOK_URL ?? null,
    /** Whose words people may write to each other; a file of `supabase/vocabularies` each. */
    chatLanguages: values.CHAT_LANGUAGES,
    /** What the pages show; see `app/features/site/site-config.ts`. */
    site: readSiteSettings(values, auth),
    /** SITE_URL was not set: canonical links name a placeholder. */
    siteUrlIsPlaceholder: !set.SITE_URL,
    /** Contact messages were to be mailed, and no mail server is set: they are stored. */
    contactMailIsMissing: values.CONTACT_DELIVERY === "email" && !values.SMTP_URL,
    development: environment.NODE_ENV === "development",
    logFormat: orStartError(() => readLogFormat(watched.environment)),
    ...readBackups(values),
    ...readWalArchive(values),
    /** The S3 that backups go to, or come from. */
    backupS3: readBackupS3(values),
    /** Where operators read figures; absent: nowhere, and nothing is counted. */
    ...(values.METRICS_PORT !== undefined && {
      metrics: { port: values.METRICS_PORT, host: values.METRICS_HOST },
    }),
    ...readTracing(values),
    ...readErrorReports(values),
    /** Whether each answer is a line of the log. */
    accessLog: values.ACCESS_LOG === "on",
    /** The header in which a proxy names each request; null for none. */
    requestIdHeader: values.REQUEST_ID_HEADER ?? null,
    // Last, when all of the above have read what they read.
    /** The names of all variables that the site reads. */
    variables: watched.names(),
    /** A sentence for each variable that is set and has no effect. */
    unread: watched.describeUnread(),
  };
}

function readWorkers({ WORKERS: chosen }: Values, mode: string | undefined): number {
  if (mode === "development") return 1;
  if (chosen !== undefined && chosen > 1 && !SPREADS_CONNECTIONS)
    throw new StartError("WORKERS must be 1 on this system: only Linux spreads connections over processes.");
  return chosen ?? defaultWorkers();
}

function orStartError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigurationError ? new StartError(error.message) : error;
  }
}

type Databases = {
  /** Past any pooler. Absent: the embedded PostgreSQL. */
  databaseUrl?: string;
  /** A pooler before it that gives each transaction another connection; its login does not count. */
  poolerUrl?: string;
  /** A streaming replica of it, for reads without a token; its login does not count. */
  readUrl?: string;
};

/** `DATABASE_URL` leads to a pooler where another address leads past it. */
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

/** The value is not repeated: it may be a password. */
function describeIssue(issue: v.BaseIssue<unknown>): string {
  return `${String(issue.path?.[0]?.key)} ${issue.message}.`;
}
