import type { Log } from "#backend/log/log.ts";
import { fromOperator, type LogText, logText } from "#backend/log/log-text.ts";
import { applyBackendSchema, BackendSchemaError } from "#backend/schema/apply-schema.ts";
import type { ServerConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import type { BackendKeys } from "../data-dir/load-keys.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { keepArchive } from "../wal-archive/keep-archive.ts";
import { ARCHIVE_NAME } from "../wal-archive/receive-wal.ts";
import { applyMigrations } from "./apply-migrations.ts";
import { applySettings } from "./apply-settings.ts";
import { loadCatalogue } from "./load-catalogue.ts";
import { loadVocabularies } from "./load-vocabularies.ts";
import { requireNoLaterRelease } from "./require-no-later-release.ts";
import { requireReplica, requireSameDatabase, requireSessions } from "./require-sessions.ts";

type Report = (line: LogText) => void;

/** How the serving processes connect to the database. */
export type DatabaseLogins = {
  /** Of the database's owner. */
  url: string;
  authenticatorUrl: string;
  /** A transaction pooler in front of it; null for none. */
  poolerUrl: string | null;
  /** A streaming replica; null for none. */
  readUrl: string | null;
};

type RunningDatabase = DatabaseLogins & { authenticatorPassword: string; stop(): Promise<void> };

/** Starts the embedded PostgreSQL, or uses the operator's, and prepares it for the backend. */
export async function openDatabase(
  config: ServerConfig,
  keys: BackendKeys,
  report: Log,
): Promise<RunningDatabase> {
  const database = await connect(config, keys, report);
  try {
    await prepareDatabase(database, config, keys, report);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function connect(config: ServerConfig, keys: BackendKeys, report: Log): Promise<RunningDatabase> {
  if (!config.databaseUrl) return await startEmbedded(config, report);
  return {
    url: config.databaseUrl,
    authenticatorUrl: asLogin(config.databaseUrl, "authenticator", keys.authenticatorPassword),
    authenticatorPassword: keys.authenticatorPassword,
    poolerUrl: config.poolerUrl ?? null,
    readUrl: config.readUrl ?? null,
    stop: async () => {},
  };
}

async function startEmbedded(
  { dataDir, workers, walArchive }: ServerConfig,
  log: Log,
): Promise<RunningDatabase> {
  const postgres = await startPostgres({
    dataDir,
    workers,
    report: log,
    ...(walArchive?.commitsWait && { commitsWaitFor: ARCHIVE_NAME }),
  });
  const { url, authenticatorUrl, authenticatorPassword } = postgres;
  try {
    const endArchive = walArchive && (await keepArchive(walArchive, url, log));
    const stop = async () => {
      await postgres.stop();
      await endArchive?.();
    };
    return { url, authenticatorUrl, authenticatorPassword, poolerUrl: null, readUrl: null, stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** The same server and database with another role. */
export function asLogin(databaseUrl: string, role: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = password;
  return url.href;
}

/** The services' connection URLs for an operator's database. */
export function serviceUrls(databaseUrl: string, keys: BackendKeys): { rest: string; auth: string } {
  return {
    rest: asLogin(databaseUrl, "authenticator", keys.authenticatorPassword),
    auth: asLogin(databaseUrl, "supabase_auth_admin", keys.authAdminPassword),
  };
}

async function prepareDatabase(
  database: RunningDatabase,
  config: ServerConfig,
  keys: BackendKeys,
  report: Report,
): Promise<void> {
  const variable = config.poolerUrl ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
  try {
    if (config.databaseUrl) await requireSessions(config.databaseUrl, variable);
    await requireNoLaterRelease(database.url);
    const { authenticatorPassword } = database;
    const { authAdminPassword } = keys;
    await applyBackendSchema(database.url, { authenticatorPassword, authAdminPassword });
  } catch (error) {
    if (error instanceof BackendSchemaError)
      throw new StartError(`${variable} cannot be used: ${error.message}`);
    if (isUnreachable(error))
      throw new StartError(`${variable} cannot be reached: ${(error as Error).message}.`);
    throw error;
  }
  if (database.poolerUrl)
    await requireSameDatabase(database.url, Object.values(serviceUrls(database.poolerUrl, keys)));
  if (database.readUrl)
    await requireReplica(
      database.url,
      asLogin(database.readUrl, "authenticator", keys.authenticatorPassword),
    );
  const applied = await applyMigrations(database.url);
  if (applied.length > 0) report(logText`Database: ${applied.length} migrations applied`);
  if (await loadCatalogue(database.url)) report(logText`Database: initial catalogue loaded`);
  const languages = await loadVocabularies(database.url, config.chatLanguages);
  if (languages.length > 0)
    report(logText`Database: vocabulary loaded: ${fromOperator(languages.join(", "))}`);
  await applySettings(database.url, config);
}

/** No connection, or none with these names and passwords (SQLSTATE classes 08, 28 and 3D). */
function isUnreachable(error: unknown): boolean {
  return /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|ENOENT|EHOSTUNREACH|08|28|3D)/.test(
    (error as { code?: string }).code ?? "",
  );
}
