import { createClient } from "@supabase/supabase-js";
import { createBackend } from "#backend/backend.ts";
import { ChangeFeedUnavailableError } from "#backend/realtime/change-feed.ts";
import { applyBackendSchema, BackendSchemaError } from "#backend/schema/apply-schema.ts";
import type { Database } from "#supabase/database.types.ts";
import { ANONYMOUS, type BackendConnection } from "./backend-connection.ts";
import type { ServerConfig } from "./config.ts";
import { type BackendKeys, loadKeys } from "./data-dir/load-keys.ts";
import { applyMigrations } from "./database/apply-migrations.ts";
import { applySettings } from "./database/apply-settings.ts";
import { loadCatalogue } from "./database/load-catalogue.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { watchShownTables } from "./shown-tables.ts";
import { StartError } from "./start-error.ts";

type Report = (line: string) => void;
type RunningDatabase = {
  url: string;
  authenticatorUrl: string;
  authenticatorPassword: string;
  stop(): Promise<void>;
};

/** Starts the bundled backend on the embedded PostgreSQL, or on the operator's, and prepares its database. */
export async function startBundled(config: ServerConfig, report: Report): Promise<BackendConnection> {
  const keys = await loadKeys(config.dataDir, config.jwtSecret);
  const database = await openDatabase(config, keys, report);
  try {
    await prepareDatabase(database, config, report);
    const { backend, live } = await openBackend(database, keys, report);
    return {
      supabase: createClient<Database>("http://backend.internal", keys.anonKey, {
        ...ANONYMOUS,
        // Straight into the same process: no socket, and the same door as everyone's.
        global: { fetch: (input, init) => backend.fetch(new Request(input as Request, init)) },
      }),
      publicUrl: "",
      anonKey: keys.anonKey,
      ...watchShownTables(backend),
      live,
      async close() {
        await backend.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function openDatabase(
  config: ServerConfig,
  keys: BackendKeys,
  report: Report,
): Promise<RunningDatabase> {
  if (!config.databaseUrl) return await startPostgres({ dataDir: config.dataDir, report });
  return {
    url: config.databaseUrl,
    authenticatorUrl: asAuthenticator(config.databaseUrl, keys.authenticatorPassword),
    authenticatorPassword: keys.authenticatorPassword,
    stop: async () => {},
  };
}

function asAuthenticator(databaseUrl: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = "authenticator";
  url.password = password;
  return url.href;
}

async function prepareDatabase(
  database: RunningDatabase,
  config: ServerConfig,
  report: Report,
): Promise<void> {
  try {
    await applyBackendSchema(database.url, { authenticatorPassword: database.authenticatorPassword });
  } catch (error) {
    if (error instanceof BackendSchemaError)
      throw new StartError(`DATABASE_URL cannot be used: ${error.message}`);
    if (isUnreachable(error))
      throw new StartError(`DATABASE_URL cannot be reached: ${(error as Error).message}.`);
    throw error;
  }
  const applied = await applyMigrations(database.url);
  if (applied.length > 0) report(`Database: ${applied.length} migrations applied`);
  if (await loadCatalogue(database.url)) report("Database: the starting catalogue is loaded");
  await applySettings(database.url, {
    ratingMinAccountAge: config.ratingMinAccountAge,
    storesContactMessages: config.site.contactDelivery === "database",
  });
}

/** No connection, or none with these names and passwords (SQLSTATE classes 08, 28 and 3D). */
function isUnreachable(error: unknown): boolean {
  return /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|ENOENT|EHOSTUNREACH|08|28|3D)/.test(
    (error as { code?: string }).code ?? "",
  );
}

/** Without logical decoding everything works but the news: then pages are only kept for a second. */
async function openBackend(database: RunningDatabase, keys: BackendKeys, report: Report) {
  const options = { ...keys, databaseUrl: database.authenticatorUrl };
  try {
    return { backend: await createBackend({ ...options, changeFeedUrl: database.url }), live: true };
  } catch (error) {
    if (!(error instanceof ChangeFeedUnavailableError)) throw error;
    report(`The database tells no changes (${error.message}): pages are read anew every second instead.`);
    return { backend: await createBackend(options), live: false };
  }
}
