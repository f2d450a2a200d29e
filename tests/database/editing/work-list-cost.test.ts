import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestDatabase } from "#tests/helpers/database.ts";
import { ADD_EDITOR, asPerson, becomeOwner } from "#tests/helpers/people.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { createLongCatalogue, expectFewCalls, ITEMS } from "../long-catalogue.ts";
import { Ana, Ben, Eve } from "./editors.ts";

const TRADES = 1_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createLongCatalogue(addViewsAndTrades);
  await runOn(database.url, ADD_EDITOR);
});
afterAll(() => database.drop());

async function addViewsAndTrades(owner: Client): Promise<void> {
  await owner.query(
    "insert into private.item_views select id, (now() at time zone 'UTC')::date - day, 5 from public.items, generate_series(0, 6) as day",
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
}

describe("the work list of a long catalog", () => {
  test("calls no function for each item", async () => {
    await expectFewCalls(database, "Ned", "select due as found from public.list_work(5)", ITEMS);
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
      // The catalog twice, for its values and for its order; other reads are negligible.
      expect(read).toBeLessThan(2 * rows[0].blocks);
    });
  });
});
