import type { Log } from "#backend/log/log.ts";
import { logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { keepClientFiles } from "./assets/former-files.ts";
import { scheduleBackups } from "./backup/schedule-backups.ts";
import { linkBase, type ServerConfig } from "./configuration/config.ts";
import { loadKeys } from "./data-dir/load-keys.ts";
import { lockDataDir } from "./data-dir/lock-data-dir.ts";
import { loadSealingKeys } from "./data-dir/sealing-keys.ts";
import { startSigningKeys } from "./data-dir/signing-keys.ts";
import { checkExistingNames } from "./database/check-existing-names.ts";
import { cleanUp } from "./database/clean-up.ts";
import { deliverContactMessages } from "./database/deliver-contact-messages.ts";
import { hideChildren } from "./database/hide-children.ts";
import { notifyEditors } from "./database/notify-editors.ts";
import { type DatabaseLogins, openDatabase } from "./database/open-database.ts";
import { publishPlannedSets } from "./database/publish-planned-sets.ts";
import { findFreePorts } from "./http/listen-on.ts";
import { forgetArchive } from "./wal-archive/keep-archive.ts";

/** What exists once, however many workers there are: the data folder, its database and the background jobs. */
export type SharedResources = {
  /** Null if the backend is on another host. */
  database: DatabaseLogins | null;
  /** Starts the background jobs, given the site's address. Returns a function that stops them. */
  servedAt(address: string): () => Promise<void>;
  close(): Promise<void>;
};

/** Locks the data folder, and starts and prepares the database. */
export async function openSharedResources(config: ServerConfig, log: Log): Promise<SharedResources> {
  if (config.hosted) return { database: null, servedAt: () => async () => {}, close: async () => {} };
  const lock = lockDataDir(config.dataDir);
  const opened = new AsyncDisposableStack();
  opened.defer(() => lock.release());
  try {
    // Before anything is changed, such as the database by an upgrade.
    await findFreePorts(config);
    if (!config.development) await keepFiles(config.dataDir, log);
    const keys = await loadKeys(config.dataDir, config.jwtSecret);
    // Created here, so that two workers do not each create their own.
    loadSealingKeys(config, keys.jwtSecret, log);
    const database = await openDatabase(config, keys, log);
    opened.defer(database.stop);
    // Only here: a command on the stopped site is often run without the site's settings.
    if (!config.databaseUrl && !config.walArchive) await forgetArchive(database.url);
    return {
      database,
      servedAt(address) {
        lock.describe(address);
        if (!config.jwtSecret) startSigningKeys(config.dataDir, keys.signingKeys);
        return startJobs(config, { databaseUrl: database.url, address, anonKey: keys.anonKey }, log);
      },
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** The site works without these files, so an error such as a full disk does not prevent the start. */
async function keepFiles(dataDir: string, log: Log): Promise<void> {
  try {
    await keepClientFiles(dataDir);
  } catch (error) {
    const reason = quoteScrubbed((error as Error).message);
    log(
      logText`This release's files could not be kept for pages that stay open across an upgrade: ${reason}`,
      "warn",
    );
  }
}

type Place = { databaseUrl: string; address: string; anonKey: string };

function startJobs(config: ServerConfig, place: Place, log: Log): () => Promise<void> {
  const { databaseUrl } = place;
  const noticeOptions = {
    webhook: config.editorsWebhook,
    siteUrl: linkBase(config),
    siteName: config.site.siteName,
  };
  const source = { dataDir: config.dataDir, databaseUrl, filesInS3: config.storage.s3 !== null };
  const walArchive = config.walArchive?.folder ?? null;
  const stops = [
    cleanUp(databaseUrl, log),
    checkExistingNames(databaseUrl, log),
    hideChildren(databaseUrl, log),
    publishPlannedSets(databaseUrl, log),
    notifyEditors(databaseUrl, noticeOptions, log),
    config.backups && scheduleBackups(config.backups, { source, walArchive }, log),
    config.site.contactDelivery === "email"
      ? deliverContactMessages(databaseUrl, () => mailContactMessages(place), log)
      : null,
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop?.())));
}

/** Calls the function that writes the mails; it takes no input from the caller, so the anonymous key is enough. */
async function mailContactMessages({ address, anonKey }: Place): Promise<number> {
  const headers = { authorization: `Bearer ${anonKey}` };
  const answer = await fetch(`${address}/functions/v1/contact`, { method: "POST", headers });
  if (!answer.ok) throw new Error(`the function contact answered ${answer.status}`);
  return ((await answer.json()) as { mailed: number }).mailed;
}
