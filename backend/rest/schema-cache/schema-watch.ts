import { shareRuns } from "#backend/memory/share-runs.ts";
import type { Database } from "#backend/postgres/database.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";
import { loadSchemaCache, readFingerprint } from "./load-schema-cache.ts";
import type { SchemaCache } from "./types.ts";

/** The schema cache that is in force, and the ways to replace it. */
export type SchemaWatch = {
  current(): Promise<SchemaCache>;
  /** The cache if it is already there; a request then need not wait for anything. */
  currentNow(): SchemaCache | null;
  /** Reads the catalogue anew; requests meanwhile use the old cache. */
  reload(): Promise<void>;
  /** Reads it anew only if the catalogue says that it changed; resolves to whether it did. */
  reloadIfChanged(): Promise<boolean>;
  /** How often it was read, and how long that took at last. */
  loaded(): SchemaLoads;
  /** Resolves once notifications arrive, or cannot for now. */
  listens(): Promise<void>;
  close(): Promise<void>;
};

export type SchemaLoads = { succeeded: number; failed: number; seconds: number };

/** What is watched, and how. */
export type WatchSettings = {
  /** Exposed schemas, the first one by default (PGRST_DB_SCHEMAS). */
  schemas: readonly string[];
  /** Where `notify` asks to read the schema or the configuration anew; null for nowhere (PGRST_DB_CHANNEL). */
  channel: string | null;
  /** Called when such a notification asks for the configuration; with false where one may have come before this listened. */
  onReloadConfig: ((isAsked: boolean) => void) | null;
};

/** How long, in milliseconds, one look at the catalogue's fingerprint is believed. */
const CHECK_INTERVAL = 250;

/**
 * Keeps the cache fresh by `notify pgrst, 'reload schema'` (sent by hand or by the backend schema's event trigger),
 * and on demand by comparing fingerprints, for databases where such a trigger cannot be installed.
 */
export function watchSchema(
  database: Database,
  { schemas, channel, onReloadConfig }: WatchSettings,
): SchemaWatch {
  const loaded = { succeeded: 0, failed: 0, seconds: 0 };
  let cache: SchemaCache | null = null;
  let checking: Promise<boolean> | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const loads = shareRuns(readAnew);
  const reloads = channel === null ? null : listenWhenUp(database, channel, hear, catchUp);

  function hear(payload: string | null): void {
    // Null says that the listener was away for a while and may have missed something.
    const isAnything = payload === null || payload === "";
    if (isAnything || payload === "reload config") onReloadConfig?.(true);
    if (isAnything || payload === "reload schema") loads.next().catch(() => {});
  }

  /** What is known was read before this listened. */
  async function catchUp(): Promise<void> {
    onReloadConfig?.(false);
    await loads.underWay()?.catch(() => {});
    if (cache) await check().catch(() => {});
  }

  async function readAnew(): Promise<SchemaCache> {
    const since = performance.now();
    try {
      cache = await loadSchemaCache(database, schemas);
    } catch (error) {
      loaded.failed++;
      throw error;
    }
    loaded.succeeded++;
    loaded.seconds = (performance.now() - since) / 1000;
    // Where the database was away at first, the next successful reading tries again.
    reloads?.ensure();
    return cache;
  }

  async function check(): Promise<boolean> {
    const before = cache;
    if (before && (await readFingerprint(database, schemas)) === before.fingerprint) return false;
    await loads.next();
    return true;
  }

  // Requests that miss at the same moment share one look.
  function reloadIfChanged(): Promise<boolean> {
    if (checking) return checking;
    if (performance.now() - checkedAt < CHECK_INTERVAL) return Promise.resolve(false);
    const next = check().finally(() => {
      checking = null;
      checkedAt = performance.now();
    });
    checking = next;
    return next;
  }

  reloads?.ensure();
  return {
    current: async () => cache ?? (await (loads.underWay() ?? loads.next())),
    currentNow: () => cache,
    reload: async () => void (await loads.next()),
    reloadIfChanged,
    loaded: () => loaded,
    listens: async () => reloads?.listens(),
    close: async () => reloads?.close(),
  };
}
