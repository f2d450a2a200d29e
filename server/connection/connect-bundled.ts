import { join, resolve } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { type Backend, type BackendOptions, createBackend } from "#backend/backend.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import { storageOptions } from "#backend/open-storage.ts";
import { SILENT_AFTER_MS } from "#backend/postgres/keep-alive.ts";
import { replicaFigures, restFigures } from "#backend/rest-figures.ts";
import type { Database } from "#supabase/database.types.ts";
import { authOptions } from "../configuration/auth-options.ts";
import type { ServerConfig } from "../configuration/config.ts";
import { type BackendKeys, loadKeys } from "../data-dir/load-keys.ts";
import { loadSealingKeys } from "../data-dir/sealing-keys.ts";
import { noteRefusals, type RefusalNotes } from "../database/note-refusals.ts";
import { asLogin, type DatabaseLogins, serviceUrls } from "../database/open-database.ts";
import { tellingFailures } from "../pages/note-failed-reads.ts";
import { archiveFiles } from "../wal-archive/archived-files.ts";
import { ANONYMOUS, type BackendConnection } from "./backend-connection.ts";
import { withoutCopies } from "./personal-answers.ts";
import { watchShownTables } from "./shown-tables.ts";
import { createProviderList } from "./sign-in-providers.ts";
import { createTimeoutFetch } from "./timeout-fetch.ts";

const INTERNAL_URL = "http://backend.internal";

/** Starts the bundled backend in this process, on a database that is ready for it. */
export async function connectBundled(
  config: ServerConfig,
  database: DatabaseLogins,
  processGroup: ProcessGroup,
  log: Log,
): Promise<BackendConnection> {
  const keys = await loadKeys(config.dataDir, config.jwtSecret);
  const refusals = noteRefusals(database.url, log);
  const backend = await openBackend(database, config, { keys, refusals, processGroup }, log);
  // Calls the backend in-process: no socket, but the same handler as for external requests.
  const fetchHere: typeof fetch = (input, init) => backend.fetch(new Request(input as Request, init));
  const shown = watchShownTables(backend, processGroup);
  return {
    supabase: createClient<Database>(INTERNAL_URL, keys.anonKey, {
      ...ANONYMOUS,
      global: { fetch: tellingFailures(createTimeoutFetch(fetchHere)) },
    }),
    listProviders: createProviderList(tellingFailures(fetchHere), {
      url: INTERNAL_URL,
      anonKey: keys.anonKey,
    }),
    publicUrl: "",
    anonKey: keys.anonKey,
    ...shown,
    handler: withoutCopies(shown.handler, keys),
    sockets: backend,
    servedAt: backend.servedAt,
    live: backend.feedFault === null,
    diskFailed: backend.diskFailed,
    openSockets: backend.openSockets,
    poolUse: backend.poolUse,
    primaryAnswers: () => backend.replica?.primaryAnswers() ?? true,
    figures: () => restFigures(backend) + replicaFigures(backend) + backend.realtimeFigures(),
    ownerUrl: database.url,
    dataDir: config.dataDir,
    async close() {
      await refusals.close();
      await backend.close();
    },
  };
}

type Parts = { keys: BackendKeys; refusals: RefusalNotes; processGroup: ProcessGroup };

async function openBackend(
  database: DatabaseLogins,
  config: ServerConfig,
  { keys, refusals, processGroup }: Parts,
  log: Log,
): Promise<Backend> {
  const { poolerUrl, authenticatorUrl } = database;
  const authUrl = asLogin(database.url, "supabase_auth_admin", keys.authAdminPassword);
  const pooled = poolerUrl === null ? null : serviceUrls(poolerUrl, keys);
  const ofAuth = pooled ? { databaseUrl: pooled.auth, directUrl: authUrl } : { databaseUrl: authUrl };
  const sealingKeys = loadSealingKeys(config, keys.jwtSecret);
  const backend = await createBackend({
    ...keys,
    ...(pooled
      ? { databaseUrl: pooled.rest, directUrl: authenticatorUrl }
      : { databaseUrl: authenticatorUrl }),
    changeFeedUrl: database.url,
    answerTimeout: SILENT_AFTER_MS,
    ...(database.readUrl !== null && {
      replica: {
        url: asLogin(database.readUrl, "authenticator", keys.authenticatorPassword),
        maxLag: config.readMaxLag * 1_000,
      },
    }),
    addressHeader: config.mail.clientAddressHeader ?? null,
    maxRows: config.maxRows,
    auth: { ...authOptions(config, ofAuth, processGroup, log), sealingKeys },
    storage: await archivedStorage(config, log),
    functions: functionsOptions(config, keys),
    realtime: { ...config.realtime, log },
    rest: { onRefusal: refusals.note, estimates: false },
    processGroup,
    log,
  });
  // Everything else works without logical decoding. Only the housekeeping process logs this, on behalf of all.
  if (backend.feedFault && processGroup.isLeader)
    log(
      logText`Live changes are unavailable (${fromOperator(backend.feedFault)}): pages are reloaded every second instead.`,
      "warn",
    );
  return backend;
}

/** User pictures and change pictures: children upload them, and others see them. */
export const REENCODED_BUCKETS = ["avatar-uploads", "avatars", "change-uploads", "change-pictures"];

/** Archives uploaded files next to the WAL, if an archive is configured and files are stored in a folder. */
async function archivedStorage(
  { storage, dataDir, walArchive }: ServerConfig,
  log: Log,
): Promise<NonNullable<BackendOptions["storage"]>> {
  const options = await storageOptions(storage, join(dataDir, "storage"), log);
  const store = walArchive && !storage.s3 ? archiveFiles(options.store, walArchive, log) : options.store;
  return { ...options, store, reencodedBuckets: REENCODED_BUCKETS };
}

type FunctionsOptions = NonNullable<BackendOptions["functions"]>;

const PROJECT = resolve(import.meta.dirname, "../..");

/** The site's functions, and the keys with which they call the services. */
function functionsOptions(
  { functions, development }: ServerConfig,
  { anonKey, serviceRoleKey }: FunctionsOptions["keys"],
): FunctionsOptions {
  return {
    ...functions,
    folder: join(PROJECT, "supabase/functions"),
    packages: PROJECT,
    keys: { anonKey, serviceRoleKey },
    reloads: development,
  };
}
