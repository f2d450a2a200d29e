import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { ADD_EDITOR, asPerson, become, becomeOwner } from "#tests/helpers/people.ts";
import { Ana, Ben, Eve } from "./editors.ts";

const ITEMS = 2_000;
const TRADES = 1_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  // Rows as triggers would leave them, without waiting for as many.
  await owner.query(`${ADD_EDITOR} set session_replication_role = replica`);
  await owner.query(
    `insert into public.items (slug, name, current_value, permanent_value, values_checked_at, current_low, current_high)
     select 'long-' || n, 'Long ' || n, n || 'M', 2 * n || 'M', now() - (2 + n % 40) * interval '1 day',
       case when n % 50 = 0 then n || 'M' end, case when n % 50 = 0 then n + 1 || 'M' end
     from generate_series(1, $1::integer) as n`,
    [ITEMS],
  );
  await owner.query(
    "insert into private.item_views select id, (now() at time zone 'UTC')::date - day, 5 from public.items, generate_series(0, 6) as day",
  );
  await owner.query(
    `insert into public.item_value_changes (item_id, mode, old_value, new_value, changed_at)
     select id, mode, '1M', '2M', now() - interval '30 days'
     from public.items, unnest(array['regular', 'permanent']) as mode where slug like 'long-%'`,
  );
  await owner.query(
    `with numbered as (select id, row_number() over (order by slug) as n from public.items)
     insert into public.trade_history (user_id, your_items, their_items, created_at)
     select ($2::uuid[])[1 + trade % 3], jsonb_agg(jsonb_build_object('id', id)), '[]', now() - trade * interval '1 minute'
     from generate_series(1, $1::integer) as trade
     join numbered on n between 1 + trade % $3 and 4 + trade % $3
     group by trade`,
    [TRADES, [Ana.id, Ben.id, Eve.id], ITEMS],
  );
  await owner.query("set session_replication_role = origin");
  await owner.query("vacuum analyze");
  await owner.end();
});
afterAll(() => database.drop());

describe("the work list of a long catalogue", () => {
  test("calls no function for each item", async () => {
    await asPerson(database.url, "Ned", async (client) => {
      await becomeOwner(client);
      await client.query("set local track_functions = 'all'");
      await become(client, "Ned");
      const { rows } = await client.query("select due from public.list_work(5)");
      expect(rows[0]?.due).toBeGreaterThanOrEqual(ITEMS);
      await becomeOwner(client);
      // What an editor wrote as a range is read as a number, of the few items that have one.
      const { rows: called } = await client.query(
        "select funcname, calls::integer from pg_stat_xact_user_functions where calls > $1",
        [ITEMS / 10],
      );
      expect(called).toEqual([]);
    });
  });

  test("reads each of its tables once", async () => {
    await asPerson(database.url, "Ned", async (client) => {
      const { rows: plans } = await client.query(
        "explain (analyze, buffers, format json) select * from public.list_work(5)",
      );
      const plan = plans[0]["QUERY PLAN"][0].Plan;
      const read = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
      await becomeOwner(client);
      const { rows } = await client.query(
        `select sum(pg_relation_size(oid) / current_setting('block_size')::integer)::integer as blocks from pg_class
         where oid = any ('{public.items, public.item_value_changes, public.trade_history, private.item_views}'::regclass[])`,
      );
      // The catalogue twice, for its values and for its order; whatever else is read is little.
      expect(read).toBeLessThan(2 * rows[0].blocks);
    });
  });
});
