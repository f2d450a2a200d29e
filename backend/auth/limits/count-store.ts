import { createByteCache } from "#backend/memory/byte-cache.ts";
import type { Database, Row, Step } from "#backend/postgres/database.ts";

/** A counter and when it starts anew, in milliseconds since 1970. */
type Counter = { name: string; end: number };

/** Where tries are counted. */
export type CountStore = {
  /** Counts one try on each, and runs the steps `also` in the same round trip. */
  count(
    counters: readonly Counter[],
    also: Step[],
  ): Promise<{ counts: Map<string, { points: number; end: number }>; rows: Row[][] }>;
  knows(name: string): Promise<boolean>;
  /** The step that remembers one and resets others. */
  settle(known: Counter, others: readonly string[]): Step;
};

/** Several processes agree; an unreachable database refuses. */
export function createDatabaseStore(database: Database): CountStore {
  return {
    async count(counters, also) {
      const names = toArray(counters.map(({ name }) => name));
      const values = [names, toArray(counters.map(({ end }) => end)), String(Date.now())];
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
      values: [toArray([name, ...others]), name, String(end)],
    }),
  };
}

// In one order everywhere: otherwise two of them could deadlock.
const COUNT = `
  insert into backend.rate_limits as kept (key, points, expire)
  select key, 1, expire from unnest($1::text[], $2::bigint[]) as tried (key, expire) order by key
  on conflict (key) do update set
    points = case when kept.expire > $3 then kept.points + 1 else 1 end,
    expire = case when kept.expire > $3 then kept.expire else excluded.expire end
  returning key, points, expire`;

const SETTLE = `
  insert into backend.rate_limits as kept (key, points, expire)
  select key, case when key = $2 then 1 else 0 end, case when key = $2 then $3::bigint else 0 end
  from unnest($1::text[]) as tried (key) order by key
  on conflict (key) do update set points = excluded.points, expire = greatest(kept.expire, excluded.expire)`;

/** A PostgreSQL array literal, of members that need no quotes. */
const toArray = (members: readonly (string | number)[]) => `{${members.join()}}`;

/** Room for some ten thousand counters; those not tried for longest are forgotten. */
const MAX_BYTES = 5_000_000;
const COUNTER_BYTES = 16;
const NOTHING: Step = { text: "select", values: [] };

/** For a database without a table for it: each process counts for itself, and from zero when it starts. */
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
        const next = { points: (found?.points ?? 0) + 1, end: found?.end ?? end };
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
