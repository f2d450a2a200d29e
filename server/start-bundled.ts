import { createClient } from "@supabase/supabase-js";
import { createBackend } from "#backend/backend.ts";
import { ChangeFeedUnavailableError } from "#backend/realtime/change-feed.ts";
import type { Database } from "#supabase/database.types.ts";
import { authOptions } from "./auth-options.ts";
import { ANONYMOUS, type BackendConnection } from "./backend-connection.ts";
import type { ServerConfig } from "./config.ts";
import { type BackendKeys, loadKeys } from "./data-dir/load-keys.ts";
import { forgetDeletedMessages } from "./database/forget-deleted-messages.ts";
import { asLogin, openDatabase, type RunningDatabase } from "./database/open-database.ts";
import { watchShownTables } from "./shown-tables.ts";
import { storageOptions } from "./storage-options.ts";

type Report = (line: string) => void;

/** Starts the bundled backend on the embedded PostgreSQL, or on the operator's, and prepares its database. */
export async function startBundled(config: ServerConfig, report: Report): Promise<BackendConnection> {
  const keys = await loadKeys(config.dataDir, config.jwtSecret);
  const database = await openDatabase(config, keys, report);
  try {
    const { backend, live } = await openBackend(database, config, keys, report);
    const stopForgetting = forgetDeletedMessages(database.url, report);
    return {
      supabase: createClient<Database>("http://backend.internal", keys.anonKey, {
        ...ANONYMOUS,
        // Straight into the same process: no socket, and the same door as everyone's.
        global: { fetch: (input, init) => backend.fetch(new Request(input as Request, init)) },
      }),
      publicUrl: "",
      anonKey: keys.anonKey,
      ...watchShownTables(backend),
      sockets: backend,
      live,
      diskFailed: backend.diskFailed,
      dataDir: config.dataDir,
      async close() {
        stopForgetting();
        await backend.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Without logical decoding everything works but the news: then pages are only kept for a second. */
async function openBackend(
  database: RunningDatabase,
  config: ServerConfig,
  keys: BackendKeys,
  report: Report,
) {
  const authUrl = asLogin(database.url, "supabase_auth_admin", keys.authAdminPassword);
  const addressHeader = config.mail.clientAddressHeader ?? null;
  const auth = authOptions(config, authUrl, report);
  const options = {
    ...keys,
    databaseUrl: database.authenticatorUrl,
    addressHeader,
    maxRows: config.maxRows,
    auth,
    log: report,
    realtime: { ...config.realtime, addressHeader, log: report },
    storage: await storageOptions(config, report),
  };
  try {
    return { backend: await createBackend({ ...options, changeFeedUrl: database.url }), live: true };
  } catch (error) {
    if (!(error instanceof ChangeFeedUnavailableError)) throw error;
    report(`The database tells no changes (${error.message}): pages are read anew every second instead.`);
    return { backend: await createBackend(options), live: false };
  }
}
