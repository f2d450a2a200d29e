import { resolve } from "node:path";
import * as v from "valibot";
import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { readAuthSettings } from "#backend/configuration/auth-settings.ts";
import {
  FUNCTIONS_VARIABLES,
  type FunctionsSettings,
  readFunctionsSettings,
} from "#backend/configuration/functions-settings.ts";
import { readLogFormat } from "#backend/configuration/log-format.ts";
import { REALTIME_VARIABLES, readRealtimeSettings } from "#backend/configuration/realtime-settings.ts";
import {
  readStorageSettings,
  STORAGE_VARIABLES,
  type StorageSettings,
} from "#backend/configuration/storage-settings.ts";
import { ConfigurationError } from "#backend/configuration/variables.ts";
import { watchReads } from "#backend/configuration/watch-reads.ts";
import type { LogFormat } from "#backend/log/log.ts";
import type { RealtimeConfig } from "#backend/realtime/realtime-config.ts";
import type { BackupSettings, WalArchiveSettings } from "./backup-settings.ts";
import { Environment, type Values } from "./environment.ts";
import { type ErrorReportsSettings, readErrorReports } from "./error-reports-settings.ts";
import { type MailSettings, readMailSettings } from "./mail-settings.ts";
import { readBackupS3, readBackups, readWalArchive } from "./read-backups.ts";
import { readSiteSettings, type SiteSettings } from "./site-settings.ts";
import { StartError } from "./start-error.ts";
import { readTracing, type TracingSettings } from "./tracing-settings.ts";
import { defaultWorkers, SPREADS_CONNECTIONS } from "./worker-count.ts";

/** Which changes of values wait for a second person (P111). */
export type SecondPersonSettings = {
  /** Changes by more than so many percent; `VALUES_LARGE_CHANGE_PERCENT`, 25 by default. */
  largePercent: number;
  /** Those of so many of the dearest items; `VALUES_DEAR_ITEMS`, 10 by default. */
  dearItems: number;
  /** Those of an editor of whom fewer were published; `VALUES_NEW_EDITOR_CHANGES`, 20 by default. */
  newEditorChanges: number;
};

/** What the operator chose, checked; the one place that reads the environment. */
export type ServerConfig = {
  port: number;
  /** Absent: every address of the machine. */
  host?: string;
  /** Processes that serve. */
  workers: number;
  /** Absolute. */
  dataDir: string;
  /** Past any pooler. Absent: the embedded PostgreSQL. */
  databaseUrl?: string;
  /** A pooler before it that gives each transaction another connection; its login does not count. */
  poolerUrl?: string;
  /** A streaming replica of it, for reads without a token; its login does not count. */
  readUrl?: string;
  /** Seconds that the replica may be behind. */
  readMaxLag: number;
  /** Present: that backend is used, and none of ours is started. */
  hosted?: { url: string; anonKey: string };
  /** Absent: made once and kept in the data folder. */
  jwtSecret?: string;
  /** Seal second factors' secrets, the first one new ones; absent: made once and kept in the data folder. */
  sealingKeys?: string[];
  mail: MailSettings;
  /** What the hosted service's own variables (`GOTRUE_…`) say; they win over everything else. */
  auth: Partial<AuthConfig>;
  /** The same for realtime. */
  realtime: Partial<RealtimeConfig>;
  /** Rows that one read of rest/v1 gives at most. */
  maxRows: number;
  /** Where uploaded files are. */
  storage: StorageSettings;
  /** Limits of functions. */
  functions: FunctionsSettings;
  /** Seconds that an account must exist before it may rate others. */
  ratingMinAccountAge: number;
  /** How long a new account has quick talk only. */
  newAccountHours: number;
  /** Which changes of values wait for a second person. */
  secondPerson: SecondPersonSettings;
  /** Is told what editors should hear of, in Discord's format. */
  editorsWebhook: string | null;
  /** Whose words people may write to each other; a file of `supabase/vocabularies` each. */
  chatLanguages: string[];
  /** What the pages show; see `app/features/site/site-config.ts`. */
  site: SiteSettings;
  /** SITE_URL was not set: canonical links name a placeholder. */
  siteUrlIsPlaceholder: boolean;
  /** Contact messages were to be mailed, and no mail server is set: they are stored. */
  contactMailIsMissing: boolean;
  /** A sentence for each variable that is set and has no effect. */
  unread: string[];
  development: boolean;
  logFormat: LogFormat;
  /** Backups that are made by themselves; absent: none. */
  backups?: BackupSettings;
  /** Where the database's log is archived; absent: nowhere. */
  walArchive?: WalArchiveSettings;
  /** The S3 that backups go to, or come from. */
  backupS3: { region: string; endpoint?: string | undefined };
  /** Where operators read figures; absent: nowhere, and nothing is counted. */
  metrics?: { port: number; host: string };
  /** Where spans of what happens go; absent: nowhere. */
  tracing?: TracingSettings;
  /** The Sentry that is told of failures; absent: none. */
  errorReports?: ErrorReportsSettings;
  /** Whether each answer is a line of the log. */
  accessLog: boolean;
  /** The header in which a proxy names each request; null for none. */
  requestIdHeader: string | null;
};

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

/** The names of all variables that the site reads. */
export const SETTINGS: readonly string[] = [
  ...Object.keys(Environment.entries),
  "LOG_FORMAT",
  ...STORAGE_VARIABLES,
  ...FUNCTIONS_VARIABLES,
  ...REALTIME_VARIABLES,
];

/** Reads the configuration; throws a `StartError` of one sentence that names the variable that is wrong. */
export function readConfig(environment: Record<string, string | undefined> = process.env): ServerConfig {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = v.safeParse(Environment, set);
  if (!parsed.success) throw new StartError(describeIssue(parsed.issues[0]));
  const values = parsed.output;
  const watched = watchReads(set);
  const auth = orStartError(() => readAuthSettings(watched.environment));
  return {
    port: values.PORT,
    host: values.HOST,
    workers: readWorkers(values, environment.NODE_ENV),
    dataDir: resolve(values.DATA_DIR),
    ...readDatabase(values),
    readMaxLag: values.DATABASE_READ_MAX_LAG,
    hosted: readHosted(values),
    jwtSecret: values.JWT_SECRET,
    sealingKeys: values.SEALING_KEY,
    mail: readMailSettings(values, auth),
    auth,
    // Nothing is said on the site past its filter, its reports and its mutes: only channels that a policy names are there.
    realtime: { privateOnly: true, ...orStartError(() => readRealtimeSettings(watched.environment)) },
    maxRows: values.PGRST_DB_MAX_ROWS,
    storage: orStartError(() => readStorageSettings(watched.environment)),
    functions: orStartError(() => readFunctionsSettings(watched.environment)),
    ratingMinAccountAge: values.RATING_MIN_ACCOUNT_AGE,
    newAccountHours: values.CHAT_NEW_ACCOUNT_HOURS,
    secondPerson: {
      largePercent: values.VALUES_LARGE_CHANGE_PERCENT,
      dearItems: values.VALUES_DEAR_ITEMS,
      newEditorChanges: values.VALUES_NEW_EDITOR_CHANGES,
    },
    editorsWebhook: values.EDITORS_WEBHOOK_URL ?? null,
    chatLanguages: values.CHAT_LANGUAGES,
    site: readSiteSettings(values, auth),
    siteUrlIsPlaceholder: !set.SITE_URL,
    contactMailIsMissing: values.CONTACT_DELIVERY === "email" && !values.SMTP_URL,
    development: environment.NODE_ENV === "development",
    logFormat: orStartError(() => readLogFormat(watched.environment)),
    ...readBackups(values),
    ...readWalArchive(values),
    backupS3: readBackupS3(values),
    ...(values.METRICS_PORT !== undefined && {
      metrics: { port: values.METRICS_PORT, host: values.METRICS_HOST },
    }),
    ...readTracing(values),
    ...readErrorReports(values),
    accessLog: values.ACCESS_LOG === "on",
    requestIdHeader: values.REQUEST_ID_HEADER ?? null,
    // Last, when all of the above have read what they read.
    unread: watched.describeUnread(Object.keys(Environment.entries)),
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

/** `DATABASE_URL` leads to a pooler where another address leads past it. */
function readDatabase({
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: directUrl,
  DATABASE_READ_URL: readUrl,
  SUPABASE_URL: hosted,
}: Values): Pick<ServerConfig, "databaseUrl" | "poolerUrl" | "readUrl"> {
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
}: Values): ServerConfig["hosted"] {
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
