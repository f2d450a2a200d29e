import { createClient } from "@supabase/supabase-js";
import { type Backend, createBackend } from "#backend/backend.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, sentence } from "#backend/log/sentence.ts";
import { restFigures } from "#backend/rest-figures.ts";
import type { Database } from "#supabase/database.types.ts";
import { authOptions } from "../configuration/auth-options.ts";
import type { ServerConfig } from "../configuration/config.ts";
import { storageOptions } from "../configuration/storage-options.ts";
import { type BackendKeys, loadKeys } from "../data-dir/load-keys.ts";
import { loadSealingKeys } from "../data-dir/sealing-keys.ts";
import { type ContactDelivery, deliverContactMessages } from "../database/deliver-contact-messages.ts";
import { forgetDeletedMessages } from "../database/forget-deleted-messages.ts";
import { judgeStandingNames } from "../database/judge-standing-names.ts";
import { noteRefusals, type RefusalNotes } from "../database/note-refusals.ts";
import { asLogin, openDatabase, type RunningDatabase } from "../database/open-database.ts";
import { publishPlannedSets } from "../database/publish-planned-sets.ts";
import { ANONYMOUS, type BackendConnection } from "./backend-connection.ts";
import { functionsOptions } from "./functions-options.ts";
import { createPatientFetch } from "./patient-fetch.ts";
import { watchShownTables } from "./shown-tables.ts";
import { createProviderList } from "./sign-in-providers.ts";

const INTERNAL_URL = "http://backend.internal";

/** Starts the bundled backend on the embedded PostgreSQL, or on the operator's, and prepares its database. */
export async function startBundled(config: ServerConfig, log: Log): Promise<BackendConnection> {
  const keys = await loadKeys(config.dataDir, config.jwtSecret);
  const database = await openDatabase(config, keys, log);
  try {
    const refusals = noteRefusals(database.url, log);
    const backend = await openBackend(database, config, keys, refusals, log);
    const stopForgetting = forgetDeletedMessages(database.url, log);
    const stopJudging = judgeStandingNames(database.url, log);
    const stopPublishing = publishPlannedSets(database.url, log);
    let delivery: ContactDelivery | undefined;
    // Straight into the same process: no socket, and the same door as everyone's.
    const fetchHere: typeof fetch = (input, init) => backend.fetch(new Request(input as Request, init));
    return {
      supabase: createClient<Database>(INTERNAL_URL, keys.anonKey, {
        ...ANONYMOUS,
        global: { fetch: createPatientFetch(fetchHere) },
      }),
      listProviders: createProviderList(fetchHere, { url: INTERNAL_URL, anonKey: keys.anonKey }),
      publicUrl: "",
      anonKey: keys.anonKey,
      ...watchShownTables(backend),
      sockets: backend,
      servedAt(address) {
        backend.servedAt(address);
        if (config.site.contactDelivery === "email")
          delivery = deliverContactMessages(database.url, () => mailContactMessages(backend, keys), log);
      },
      live: backend.feedFault === null,
      diskFailed: backend.diskFailed,
      figures: () => restFigures(backend) + backend.realtimeFigures(),
      ownerUrl: database.url,
      dataDir: config.dataDir,
      async close() {
        stopForgetting();
        await stopJudging();
        await stopPublishing();
        await delivery?.stop();
        await refusals.close();
        await backend.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** By the function that composes the mails; it takes nothing from its caller, so anybody's key will do. */
async function mailContactMessages(backend: Backend, { anonKey }: BackendKeys): Promise<number> {
  const headers = { authorization: `Bearer ${anonKey}` };
  const url = "http://backend.internal/functions/v1/contact";
  const answer = await backend.fetch(new Request(url, { method: "POST", headers }));
  if (!answer.ok) throw new Error(`the function contact answered ${answer.status}`);
  return ((await answer.json()) as { mailed: number }).mailed;
}

async function openBackend(
  database: RunningDatabase,
  config: ServerConfig,
  keys: BackendKeys,
  refusals: RefusalNotes,
  log: Log,
): Promise<Backend> {
  const authUrl = asLogin(database.url, "supabase_auth_admin", keys.authAdminPassword);
  const backend = await createBackend({
    ...keys,
    databaseUrl: database.authenticatorUrl,
    changeFeedUrl: database.url,
    addressHeader: config.mail.clientAddressHeader ?? null,
    maxRows: config.maxRows,
    auth: { ...authOptions(config, authUrl, log), sealingKeys: loadSealingKeys(config, keys.jwtSecret) },
    storage: await storageOptions(config, log),
    functions: functionsOptions(config, keys),
    realtime: { ...config.realtime, log },
    rest: { onRefusal: refusals.note },
    log,
  });
  // Everything else works without logical decoding.
  if (backend.feedFault)
    log(
      sentence`The database tells no changes (${fromOperator(backend.feedFault)}): pages are read anew every second instead.`,
      "warn",
    );
  return backend;
}
