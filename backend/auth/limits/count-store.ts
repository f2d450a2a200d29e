import { createByteCache } from "#backend/memory/byte-cache.ts";
import type { Database, Row, Step } from "#backend/postgres/database.ts";
import { arrayLiteral } from "#backend/postgres/quote.ts";

/** A counter and its reset time, in milliseconds since 1970. */
type Counter = { name: string; end: number };

/** Storage for rate limit counters. */
export type CountStore = {
  /** Adds one to each counter, and runs the steps `also` in the same round trip. */
  count(
    counters: readonly Counter[],
    also: Step[],
  ): Promise<{ counts: Map<string, { points: number; end: number }>; rows: Row[][] }>;
  knows(name: string): Promise<boolean>;
  /** The step that sets the counter `known` and resets the others. */
  settle(known: Counter, others: readonly string[]): Step;
};

/** Shared by all processes; rejects if the database is unreachable. */
export function createDatabaseStore(database: Database): CountStore {
  return {
    async count(counters, also) {
      const names = arrayLiteral(counters.map(({ name }) => name));
      const values = [names, arrayLiteral(counters.map(({ end }) => String(end))), String(Date.now())];
      const [counted = [], ...rows] = await database.run([{ text: COUNT, values }, ...also]);
      const counts = counted.map(
        ({ key, points, expire }) => [key ?? "", { points: Number(points), end: Number(expire) }] as const,
      );
      return { counts: new Map(counts), rows };
    },
    async knows(name) {
      const text = "select from backend.rate_limits where key = $1 and expire > $2";
      return (await database.query(text, [name, String(Date.now())])).length > 0;
    },
    settle: ({ name, end }, others) => ({
      text: SETTLE,
      values: [arrayLiteral([name, ...others]), name, String(end)],
    }),
  };
}

/** A counter that ends so much later than one that begins now was made by a clock that has been set back since. */
const MAX_AHEAD_MS = 60 * 60_000;

const STILL_COUNTS = `kept.expire > $3 and kept.expire <= excluded.expire + ${MAX_AHEAD_MS}`;

// Locked in a consistent order to prevent deadlocks.
const COUNT = `
  insert into backend.rate_limits as kept (key, points, expire)
  select key, 1, expire from unnest($1::text[], $2::bigint[]) as tried (key, expire) order by key
  on conflict (key) do update set
    points = case when ${STILL_COUNTS} then kept.points + 1 else 1 end,
    expire = case when ${STILL_COUNTS} then kept.expire else excluded.expire end
  returning key, points, expire`;

const SETTLE = `
  insert into backend.rate_limits as kept (key, points, expire)
  select key, case when key = $2 then 1 else 0 end, case when key = $2 then $3::bigint else 0 end
  from unnest($1::text[]) as tried (key) order by key
  on conflict (key) do update set points = excluded.points, expire = greatest(kept.expire, excluded.expire)`;

/** Room for about ten thousand counters; the least recently used are evicted. */
const MAX_BYTES = 5_000_000;
const COUNTER_BYTES = 16;
const NOTHING: Step = { text: "select", values: [] };

/** For databases without the table: each process counts separately, starting from zero. */
export function createMemoryStore(database: Database): CountStore {
  const kept = createByteCache<{ points: number; end: number }>({
    maxBytes: MAX_BYTES,
    sizeOf: () => COUNTER_BYTES,
  });
  const find = (name: string) => {
    const found = kept.get(name);
    return found && found.end > Date.now() ? found : null;
  };
  return {
    async count(counters, also) {
      const counts = counters.map(({ name, end }) => {
        const found = find(name);
        const isOpen = found && found.end <= end + MAX_AHEAD_MS;
        const next = isOpen ? { points: found.points + 1, end: found.end } : { points: 1, end };
        kept.set(name, next);
        return [name, next] as const;
      });
      return { counts: new Map(counts), rows: also.length === 0 ? [] : await database.run(also) };
    },
    knows: async (name) => find(name) !== null,
    settle({ name, end }, others) {
      for (const other of others) kept.delete(other);
      kept.set(name, { points: 1, end });
      return NOTHING;
    },
  };
}
