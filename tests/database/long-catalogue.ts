import { Client } from "pg";
import { expect } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { asPerson, become, becomeOwner, type Person } from "#tests/helpers/people.ts";

/** Number of items in addition to the starting catalog. */
export const ITEMS = 2_000;

/**
 * A database with many items, each with both values and a change of them, some with ranges, plus whatever `addMore`
 * adds. All rows are as triggers would leave them, without the time that so many triggers take.
 */
export async function createLongCatalogue(
  addMore: (owner: Client) => Promise<unknown> = async () => {},
): Promise<TestDatabase> {
  const database = await createTestDatabase({ people: true });
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query("set session_replication_role = replica");
  await owner.query(
    `insert into public.items (slug, name, current_value, permanent_value, values_checked_at, current_low, current_high)
     select 'long-' || n, 'Long ' || n, n || 'M', 2 * n || 'M', now() - (2 + n % 40) * interval '1 day',
       case when n % 50 = 0 then n || 'M' end, case when n % 50 = 0 then n + 1 || 'M' end
     from generate_series(1, $1::integer) as n`,
    [ITEMS],
  );
  await owner.query(
    `insert into public.item_value_changes (item_id, mode, old_value, new_value, changed_at)
     select id, mode, '1M', '2M', now() - interval '30 days'
     from public.items, unnest(array['regular', 'permanent']) as mode where slug like 'long-%'`,
  );
  await addMore(owner);
  await owner.query("set session_replication_role = origin");
  await owner.query("vacuum analyze");
  await owner.end();
  return database;
}

/** Runs a query for the count `found` as this user, and expects that no function was called once per item. */
export async function expectFewCalls(
  { url }: TestDatabase,
  person: Person,
  question: string,
  leastFound: number,
): Promise<void> {
  await asPerson(url, person, async (client) => {
    await becomeOwner(client);
    await client.query("set local track_functions = 'all'");
    await become(client, person);
    const { rows } = await client.query(question);
    expect(rows[0]?.found).toBeGreaterThanOrEqual(leastFound);
    await becomeOwner(client);
    // Parsing the ranges of the few items that have one stays below this number of calls.
    const { rows: called } = await client.query(
      "select funcname, calls::integer from pg_stat_xact_user_functions where calls > $1",
      [ITEMS / 10],
    );
    expect(called).toEqual([]);
  });
}
