import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "#server/database/load-catalogue.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";

const database = ownDatabase();

async function rowsOf(query: string): Promise<Record<string, unknown>[]> {
  return (await database.owner.query(query)).rows;
}

function readCatalogue(file: string): Record<string, string>[] {
  return parse(readFileSync(new URL(`../../supabase/catalogue/${file}`, import.meta.url)), { columns: true });
}

describe("the starting catalog", () => {
  test("is not loaded a second time, whatever an admin has removed or changed since", async () => {
    const everything = `
      select (select jsonb_agg(items order by slug) from public.items) as items,
        (select jsonb_agg(categories order by slug) from public.categories) as categories,
        (select jsonb_agg(ads order by placement) from public.ads) as ads,
        (select jsonb_agg(item_value_changes order by id) from public.item_value_changes) as changes`;
    await database.owner.query("begin");
    await database.owner.query("delete from public.items where slug = 'rocket'");
    await database.owner.query("update public.items set current_value = '1' where slug = 'kitsune'");
    await database.owner.query("commit");
    const before = await rowsOf(everything);
    expect(await loadCatalogue(database.url)).toBe(false);
    expect(await rowsOf(everything)).toEqual(before);
  });

  test("is loaded once by two processes that start simultaneously", async () => {
    await database.owner.query("delete from public.items");
    await database.owner.query("delete from public.categories");
    const loaded = await Promise.all([loadCatalogue(database.url), loadCatalogue(database.url)]);
    expect(loaded.sort()).toEqual([false, true]);
    expect(await rowsOf("select count(*)::int from public.items")).toEqual([{ count: 86 }]);
    expect(await rowsOf("select count(*)::int from public.item_value_changes")).toEqual([{ count: 890 }]);
    expect(
      await rowsOf("select tgenabled from pg_trigger where tgname = 'items_record_first_values'"),
    ).toEqual([{ tgenabled: "O" }]);
  });

  test("has its eight categories in order", async () => {
    const order = await rowsOf("select slug, display_order from public.categories order by display_order");
    expect(order.map(({ display_order }) => display_order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(order.map(({ slug }) => slug)).toEqual(readCatalogue("categories.csv").map(({ slug }) => slug));
  });

  test("has every item of the list with its values", async () => {
    const columns = [
      "name",
      "slug",
      "type",
      "current_value",
      "previous_value",
      "permanent_value",
      "permanent_previous_value",
      "beli_price",
      "robux_price",
    ] as const;
    const given = readCatalogue("items.csv").map((row) =>
      columns.map((column) => row[column] || (/^(current|previous)_value$/.test(column) ? "N/A" : null)),
    );
    const stored = await rowsOf(`select ${columns} from public.items`);
    expect(stored.map((row) => columns.map((column) => row[column])).sort()).toEqual(given.sort());
  });

  test("is ordered by numeric value, unpriced items last", async () => {
    const items = await rowsOf(
      "select name, current_value from public.items order by current_value_number desc nulls last, name",
    );
    expect(items[0]).toEqual({ name: "Galaxy Empyrean Kitsune", current_value: "11.96B" });
    expect(items[8]).toEqual({ name: "West Dragon", current_value: "3.91B" });
    expect(items.slice(-5).map(({ current_value }) => current_value)).toEqual(Array(5).fill("N/A"));
  });

  test.each([
    ["fiend-yeti", "mythical", "very_high"],
    ["werewolf", "mythical", "very_high"],
    ["celebration-bomb", "common", "low"],
    ["fruit-notifier", "legendary", "very_high"],
    ["orange-portal", "legendary", "medium"],
    ["kitsune", "mythical", "very_high"],
  ])("%s is %s, in %s demand", async (slug, rarity, demand) => {
    const [item] = await rowsOf(`select rarity, demand from public.items where slug = '${slug}'`);
    const base = readCatalogue("items-extra.csv").find((extra) => extra.slug === slug)?.base_fruit_slug;
    const ofBase = base ? readCatalogue("items.csv").find((row) => row.slug === base)?.rarity : rarity;
    expect(item).toEqual({ rarity: ofBase, demand });
  });

  test("states when its values were read", async () => {
    const dates = await rowsOf(
      "select distinct permanent_value is not null as permanent, values_checked_at::text as at from public.items order by 1",
    );
    expect(dates).toEqual([
      { permanent: false, at: "2026-08-18 00:00:00+00" },
      { permanent: true, at: "2026-08-17 00:00:00+00" },
    ]);
  });

  test("was last updated on the day of its data, even if it was loaded by an earlier release", async () => {
    const days = () => rowsOf("select slug, updated_at::date::text as day from public.items order by slug");
    const byDay = readCatalogue("value-history.csv").map(
      ({ slug, observed_at = "" }) => `${observed_at} ${slug}`,
    );
    const lastRead = new Map(byDay.sort().map((line) => [line.slice(11), line.slice(0, 10)]));
    const wanted = (await days()).map(({ slug }) => ({
      slug,
      day: lastRead.get(String(slug)) ?? "2026-08-18",
    }));
    expect(await days()).toEqual(wanted);

    await database.owner.query("begin");
    try {
      await database.owner.query("alter table public.items disable trigger items_follow_item");
      await database.owner.query("update public.items set updated_at = created_at");
      await database.owner.query("alter table public.items enable trigger items_follow_item");
      await database.owner.query(
        "insert into public.items (name, slug, current_value) values ('New', 'new', '5M')",
      );
      await database.owner.query("update public.items set demand = 'low' where slug = 'kitsune'");
      const file = "../../supabase/migrations/20261122040005_last_updated.sql";
      await database.owner.query(readFileSync(new URL(file, import.meta.url), "utf8"));
      const today = (await rowsOf("select now()::date::text as day"))[0]?.day;
      const mended = (await days()).filter(({ slug }) => slug !== "new");
      expect(mended).toEqual(wanted.map((row) => (row.slug === "kitsune" ? { ...row, day: today } : row)));
    } finally {
      await database.owner.query("rollback");
    }
  });

  test("has every reading with its date, each starting from the previous reading", async () => {
    const given = readCatalogue("value-history.csv").map(({ slug, mode, value, observed_at }) =>
      [slug, mode, value, observed_at].join(),
    );
    const stored = await rowsOf(
      `select slug, mode, new_value, to_char(changed_at, 'YYYY-MM-DD') as day
       from public.item_value_changes join public.items on items.id = item_id`,
    );
    expect(
      stored.map(({ slug, mode, new_value, day }) => [slug, mode, new_value, day].join()).sort(),
    ).toEqual(given.sort());
    const broken = await rowsOf(
      `select from (
         select old_value, lag(new_value) over (partition by item_id, mode order by changed_at) as before
         from public.item_value_changes
       ) as steps where old_value is distinct from before`,
    );
    expect(broken).toEqual([]);
  });

  test("its last regular reading is the item's value", async () => {
    const apart = await rowsOf(
      `select slug from public.items
       join lateral (
         select new_number from public.item_value_changes
         where item_id = items.id and mode = 'regular' order by changed_at desc limit 1
       ) as latest on true
       where new_number is distinct from current_value_number`,
    );
    expect(apart).toEqual([]);
  });
});
