import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";

const database = ownDatabase();
const measure = async (days: number) =>
  (
    await database.owner.query(
      "select category, trades, published_values, median_error::float from public.measure_accuracy($1)",
      [days],
    )
  ).rows;

test("without confirmed trades there is no result", async () => {
  expect(await measure(30)).toEqual([]);
});

test("values from a given number of days ago are compared with trades confirmed since, from 20 trades on", async () => {
  await database.owner.query(`
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
  // The first is older than the item's first value and than the period; only the second counts.
  await database.owner.query(`
    insert into private.confirmed_values (item_id, mode, value, confirmed_at)
      select id, 'regular', 999, now() - interval '31 days' from public.items where slug = 'measured';
    insert into private.confirmed_values (item_id, mode, value) select id, 'regular', 125 from public.items where slug = 'measured'`);
  expect(await measure(30)).toEqual([
    { category: "Other", trades: 20, published_values: 1, median_error: 20 },
  ]);
  expect(await measure(90)).toEqual([]);
});

test("confirmed prices are readable and writable only by the owner", async () => {
  for (const role of ["anon", "authenticated", "service_role"]) {
    await database.owner.query("begin");
    await database.owner.query(`set local role ${role}`);
    await expect(database.owner.query("select from private.confirmed_values")).rejects.toMatchObject({
      code: "42501",
    });
    await database.owner.query("rollback");
  }
});
