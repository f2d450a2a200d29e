import type { Database } from "#backend/postgres/database.ts";
import { loadSchemaCache, readFingerprint } from "./load-schema-cache.ts";
import type { SchemaCache } from "./types.ts";

/** The schema cache that is in force, and the ways to replace it. */
export type SchemaWatch = {
  current(): Promise<SchemaCache>;
  /** The cache if it is already there; a request then need not wait for anything. */
  currentNow(): SchemaCache | null;
  /** Reads the catalogue anew; requests meanwhile use the old cache. */
  reload(): Promise<void>;
  /** Reads it anew only if the catalogue says that it changed; tells whether it did. */
  reloadIfChanged(): Promise<boolean>;
  close(): Promise<void>;
};

/** How long, in milliseconds, one look at the catalogue's fingerprint is believed. */
const CHECK_INTERVAL = 1000;

/**
 * Keeps the cache fresh by `NOTIFY pgrst, 'reload schema'` (sent by hand or by the backend schema's event trigger),
 * and on demand by comparing fingerprints, for databases where nobody may install such a trigger.
 */
export function watchSchema(database: Database, schemas: readonly string[]): SchemaWatch {
  let cache: SchemaCache | null = null;
  let loading: Promise<SchemaCache> | null = null;
  let checkedAt = 0;

  // A reload that is asked for while one runs must see the newest catalogue: it runs after that one.
  function load(): Promise<SchemaCache> {
    const previous = loading ?? Promise.resolve();
    const next = previous.then(readAnew, readAnew);
    loading = next;
    const done = () => {
      if (loading === next) loading = null;
    };
    next.then(done, done);
    return next;
  }

  async function readAnew(): Promise<SchemaCache> {
    cache = await loadSchemaCache(database, schemas);
    return cache;
  }

  async function reloadIfChanged(): Promise<boolean> {
    const before = cache;
    if (Date.now() - checkedAt < CHECK_INTERVAL) return false;
    checkedAt = Date.now();
    if (before && (await readFingerprint(database, schemas)) === before.fingerprint) return false;
    await load();
    return true;
  }

  const subscription = database.listen("pgrst", (payload) => {
    // Null says that the listener was away for a while and may have missed something.
    const isReload = payload === null || payload === "" || payload === "reload schema";
    if (isReload) load().catch(() => {});
  });
  subscription.catch(() => {});

  return {
    current: async () => cache ?? (await (loading ?? load())),
    currentNow: () => cache,
    reload: async () => void (await load()),
    reloadIfChanged,
    close: async () => {
      await subscription.then((active) => active.close()).catch(() => {});
    },
  };
}
