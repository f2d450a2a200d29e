import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { asPerson, become, becomeOwner } from "#tests/helpers/people.ts";

const ITEMS = 2_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  // Rows as triggers would leave them, without waiting for as many.
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
  await owner.query("set session_replication_role = origin");
  await owner.query("vacuum analyze");
  await owner.end();
});
afterAll(() => database.drop());

test("the ranges of a long catalogue are read without a call of a function for each value", async () => {
  await asPerson(database.url, "visitor", async (client) => {
    await becomeOwner(client);
    await client.query("set local track_functions = 'all'");
    await become(client, "visitor");
    const { rows } = await client.query("select count(*)::integer from public.list_value_ranges()");
    expect(rows[0]?.count).toBeGreaterThanOrEqual(2 * ITEMS);
    await becomeOwner(client);
    // What an editor wrote as a range is read as a number, of the few items that have one.
    const { rows: called } = await client.query(
      "select funcname, calls::integer from pg_stat_xact_user_functions where calls > $1",
      [ITEMS / 10],
    );
    expect(called).toEqual([]);
  });
});
