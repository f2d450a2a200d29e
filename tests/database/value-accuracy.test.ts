import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const measure = async (days: number) =>
  (
    await client.query(
      "select category, trades, published_values, median_error::float from public.measure_accuracy($1)",
      [days],
    )
  ).rows;

test("nothing is said where no trade was confirmed", async () => {
  expect(await measure(30)).toEqual([]);
});

test("values of so many days ago are held against what was confirmed since, from 20 trades on", async () => {
  await client.query(`
    insert into public.items (slug, name, current_value) values ('measured', 'Measured', '100');
    alter table public.item_value_changes disable trigger item_value_changes_keep_record;
    update public.item_value_changes set changed_at = now() - interval '60 days'
      where item_id = (select id from public.items where slug = 'measured');
    alter table public.item_value_changes enable trigger item_value_changes_keep_record;
    update public.items set current_value = '120' where slug = 'measured';
    insert into private.confirmed_values (item_id, mode, value, confirmed_at)
      select id, 'regular', 125, now() - n * interval '1 day' from public.items, generate_series(1, 19) as n
      where slug = 'measured'`);
  expect(await measure(30)).toEqual([
    { category: "Other", trades: 19, published_values: 1, median_error: null },
  ]);
  // Before its first value, and before the trades that count.
  await client.query(`
    insert into private.confirmed_values (item_id, mode, value, confirmed_at)
      select id, 'regular', 999, now() - interval '31 days' from public.items where slug = 'measured';
    insert into private.confirmed_values (item_id, mode, value) select id, 'regular', 125 from public.items where slug = 'measured'`);
  expect(await measure(30)).toEqual([
    { category: "Other", trades: 20, published_values: 1, median_error: 20 },
  ]);
  expect(await measure(90)).toEqual([]);
});

test("what was paid is read and written by nobody but the owner", async () => {
  for (const role of ["anon", "authenticated", "service_role"]) {
    await client.query("begin");
    await client.query(`set local role ${role}`);
    await expect(client.query("select from private.confirmed_values")).rejects.toMatchObject({
      code: "42501",
    });
    await client.query("rollback");
  }
});
