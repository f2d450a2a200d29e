import type { Log } from "#backend/log/log.ts";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import type { Database } from "#backend/postgres/database.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";
import { createFailedLoads } from "./failed-loads.ts";
import { loadSchemaCache, MissingSchemaError, readFingerprint } from "./load-schema-cache.ts";
import type { SchemaCache } from "./types.ts";

/** The current schema cache, and ways to replace it. */
export type SchemaWatch = {
  /** Rejects if it cannot be loaded. */
  current(): Promise<SchemaCache>;
  /** The cache if it is loaded, so that requests need not await anything. */
  currentNow(): SchemaCache | null;
  /** Reloads the cache; requests use the old one meanwhile. */
  reload(): Promise<void>;
  /** Reloads the cache only if the catalog has changed; resolves to whether it had. */
  reloadIfChanged(): Promise<boolean>;
  /** Number of loads, and the duration of the last one. */
  loaded(): SchemaLoads;
  /** Resolves once it listens for notifications, or has failed to for now. */
  listens(): Promise<void>;
  close(): Promise<void>;
};

type SchemaLoads = { succeeded: number; failed: number; seconds: number };

/** What to watch, and how. */
export type WatchSettings = {
  /** Exposed schemas, the first one by default (PGRST_DB_SCHEMAS). */
  schemas: readonly string[];
  /**
   * Channel on which `notify` requests a reload of the schema or the configuration; null for none (PGRST_DB_CHANNEL).
   */
  channel: string | null;
  /**
   * Called when a notification requests a reload of the configuration; with false if one may have been sent before
   * listening.
   */
  onReloadConfig: ((isAsked: boolean) => void) | null;
  /** Receives a line if a schema does not exist, or the cache cannot be loaded for a reason not logged elsewhere. */
  log?: Log | undefined;
};

/** How long a fingerprint comparison stays valid, in milliseconds. */
const CHECK_INTERVAL = 250;

/**
 * Keeps the cache fresh on `notify pgrst, 'reload schema'` (sent by hand or by the backend schema's event trigger), and
 * on demand by comparing fingerprints, for databases where such a trigger cannot be installed.
 */
export function watchSchema(
  database: Database,
  { schemas, channel, onReloadConfig, log }: WatchSettings,
): SchemaWatch {
  const loaded = { succeeded: 0, failed: 0, seconds: 0 };
  let cache: SchemaCache | null = null;
  let checking: Promise<boolean> | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const loads = coalesceRuns(reload);
  const failedLoads = createFailedLoads(loads.next, log);
  const reloads = channel === null ? null : listenWhenUp(database, channel, onNotification, catchUp);

  function onNotification(payload: string | null): void {
    // Null means that the listener was disconnected and may have missed a notification.
    const isAnything = payload === null || payload === "";
    if (isAnything || payload === "reload config") onReloadConfig?.(true);
    if (isAnything || payload === "reload schema") loads.next().catch(() => {});
  }

  /** The cache may have been loaded before listening started. */
  async function catchUp(): Promise<void> {
    onReloadConfig?.(false);
    await loads.underWay()?.catch(() => {});
    if (cache) await check().catch(failedLoads.retry);
  }

  async function reload(): Promise<SchemaCache> {
    const since = performance.now();
    try {
      cache = await loadSchemaCache(database, schemas);
    } catch (error) {
      loaded.failed++;
      failedLoads.report(error);
      failedLoads.retry(error);
      throw error;
    }
    failedLoads.forget();
    loaded.succeeded++;
    loaded.seconds = (performance.now() - since) / 1000;
    return cache;
  }

  async function check(): Promise<boolean> {
    const before = cache;
    if (before && (await readFingerprint(database, schemas)) === before.fingerprint) return false;
    await loads.next();
    return true;
  }

  // Concurrent misses share one check.
  function reloadIfChanged(): Promise<boolean> {
    if (checking) return checking;
    if (performance.now() - checkedAt < CHECK_INTERVAL) return Promise.resolve(false);
    const next = check()
      .catch(unlessMissing)
      .finally(() => {
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
    async close() {
      failedLoads.close();
      await reloads?.close();
    },
  };
}

/** A schema that was dropped leaves the cache in use, so a miss stays one. */
function unlessMissing(error: unknown): false {
  if (error instanceof MissingSchemaError) return false;
  throw error;
}
