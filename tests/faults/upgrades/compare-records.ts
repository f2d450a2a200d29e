import type { Client } from "pg";
import { SCHEMAS } from "./describe-schema.ts";

type Row = Record<string, unknown>;
/** All rows of each table, keyed by primary key. */
export type Records = ReadonlyMap<string, ReadonlyMap<string, Row>>;

const TABLES = `
  select format('%I.%I', nspname, relname) as name, coalesce(array_agg(attname::text order by attnum) filter (where attname is not null), '{}') as key
  from pg_class c
    join pg_namespace n on n.oid = relnamespace
    left join pg_index on indrelid = c.oid and indisprimary
    left join pg_attribute on attrelid = c.oid and attnum = any (indkey)
  where relkind = 'r' and nspname in ${SCHEMAS}
  group by 1 order by 1`;

/** Rows that a release gave other ids on purpose, and the columns by which they are the same rows. */
const RENUMBERED: Record<string, { by: string[]; column: string }> = {
  "public.user_ratings": { by: ["rater_id", "rated_user_id"], column: "id" },
};

export async function readRecords(client: Client): Promise<Records> {
  const { rows: tables } = await client.query<{ name: string; key: string[] }>(TABLES);
  const records = new Map<string, Map<string, Row>>();
  for (const { name, key } of tables) {
    const { rows } = await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`);
    const columns = RENUMBERED[name]?.by ?? key;
    const keyOf = (row: Row) =>
      JSON.stringify(columns.length > 0 ? columns.map((column) => row[column]) : row);
    records.set(name, new Map(rows.map(({ row }) => [keyOf(row), row])));
  }
  return records;
}

export function countRows(records: Records): number {
  return [...records.values()].reduce((count, rows) => count + rows.size, 0);
}

/** The table a migration moved rows to, and the row it should become. */
type Move = { to: string; become(row: Row): Row };
/** What migrations changed on purpose. Everything else must be unchanged. */
const MOVED: Record<string, Move> = {
  "public.chat_reports": {
    to: "public.reports",
    become: ({ message, reported_message_id, ...row }) => ({
      ...row,
      kind: "message",
      evidence: message,
      subject_id: reported_message_id,
    }),
  },
};
/**
 * Column values that a release reset for everyone: users list themselves again once they have given their age group.
 */
const TAKEN_BACK = new Map<string, Row>([["public.profiles", { listed: false }]]);
/** Each start rewrites the operator's variables there. */
const SETTINGS = "private.settings";
/** Tables that releases dropped: per-minute counters, and a list superseded by another way of judging texts. */
const GONE = new Set(["private.chat_paces", "private.reaction_paces", "private.blocked_words"]);

/** Rows from before an upgrade that are missing or changed. */
export function findLost(before: Records, after: Records): string[] {
  return [...before].flatMap(([table, rows]) => {
    if (table === SETTINGS || (GONE.has(table) && !after.has(table))) return [];
    const isMoved = !after.has(table);
    const move = isMoved ? MOVED[table] : undefined;
    const now = after.get(move?.to ?? table);
    if (!now) return rows.size > 0 ? [`the table ${table} is gone with ${rows.size} rows`] : [];
    return [...rows].flatMap(([key, row]) => {
      const kept = now.get(key);
      if (!kept) return [`a row of ${table} is gone: ${key}`];
      const expected = Object.entries(move ? move.become(row) : row).filter(([column]) => column in kept);
      return expected
        .filter(([column, value]) => JSON.stringify(kept[column]) !== JSON.stringify(value))
        .filter(([column]) => column !== RENUMBERED[table]?.column)
        .filter(([column]) => kept[column] !== TAKEN_BACK.get(table)?.[column])
        .map(
          ([column, value]) =>
            `${table} ${key}: ${column} was ${JSON.stringify(value)} and is ${JSON.stringify(kept[column])}`,
        );
    });
  });
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00)?/g;

/**
 * Differences between two upgrades of the same rows. Values that an upgrade generates, such as ids and times, are
 * ignored.
 */
export function findDifferent(before: Records, one: Records, other: Records): string[] {
  const known = new Set<string>();
  let newest = "";
  for (const rows of before.values())
    for (const row of rows.values()) {
      const text = JSON.stringify(row);
      for (const id of text.match(UUID) ?? []) known.add(id);
      for (const moment of text.match(MOMENT) ?? []) if (moment > newest && !isAhead(moment)) newest = moment;
    }
  const plain = (row: Row) =>
    JSON.stringify(row)
      .replace(UUID, (id) => (known.has(id) ? id : "a new id"))
      .replace(MOMENT, (moment) => (moment > newest && !isAhead(moment) ? "since then" : moment));
  const linesOf = (records: Records) =>
    [...records].flatMap(([table, rows]) => [...rows.values()].map((row) => `${table} ${plain(row)}`)).sort();
  return differ(linesOf(one), linesOf(other));
}

const isAhead = (moment: string) => Date.parse(moment) > Date.now() + 60_000;

/** Lines that occur more often in one list than in the other. */
export function differ(one: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of other) counts.set(line, (counts.get(line) ?? 0) - 1);
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([line, count]) => `only ${count > 0 ? "as it should be" : "as it is"}: ${line}`);
}
