import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import type { Client } from "pg";
import { inTransaction } from "#backend/postgres/with-client.ts";

type Row = Record<string, string>;

const FOLDER = new URL("../../supabase/catalogue/", import.meta.url);
const LOCK = 7_246_151_003;
/**
 * When each kind of item was last read from the public list (`SOURCES.md`): all on the 18th, permanents on the 17th.
 */
const CHECKED_AT = { regular: "2026-08-18T00:00:00Z", permanent: "2026-08-17T00:00:00Z" };
const READING = "Reading of a public value list";

/**
 * Loads the starting catalogue, `supabase/catalogue/*.csv`, in one transaction: categories, items, and the dated
 * readings of their values as the first rows of the ledger. Only into a database without any category or item, so that
 * nothing an admin changed or removed comes back. Returns whether it loaded.
 *
 * `url` must belong to the owner of the tables, who may disable the ledger's trigger during the import.
 */
export async function loadCatalogue(url: string): Promise<boolean> {
  return inTransaction(url, "catalogue", LOCK, async (client) => {
    const empty = await isEmpty(client);
    if (empty) await load(client);
    return empty;
  });
}

async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(`
    select not exists (select from public.items) and not exists (select from public.categories) as empty`);
  return rows[0]?.empty ?? false;
}

async function load(client: Client): Promise<void> {
  await insertCategories(client, readCsv("categories.csv"));
  const readings = readCsv("value-history.csv");
  // The readings are the items' history, so the triggers must not record today's values as a first change. Nor is the
  // day of the import the date that an item was created.
  const triggers = ["items_record_first_values", "items_stamp_insert"];
  for (const trigger of triggers) await client.query(`alter table public.items disable trigger ${trigger}`);
  await insertItems(
    client,
    completeItems(readCsv("items.csv"), readCsv("items-extra.csv"), readings, readCsv("aliases.csv")),
  );
  for (const trigger of triggers) await client.query(`alter table public.items enable trigger ${trigger}`);
  await insertReadings(client, readings);
}

function readCsv(file: string): Row[] {
  return parse<Row>(readFileSync(new URL(file, FOLDER), "utf8"), { columns: true, skip_empty_lines: true });
}

/**
 * Fills the gaps of the lists (P3): unpriced is `N/A`; a skin has the rarity of its base fruit, everything else without
 * one is legendary; a missing demand is medium. An item's update time is that of its last reading.
 */
function completeItems(items: Row[], extras: Row[], readings: Row[], names: Row[]): Row[] {
  const aliases = new Map(names.map((row) => [row.slug, row.aliases]));
  const oldestFirst = readings.toSorted((a, b) => ((a.observed_at ?? "") < (b.observed_at ?? "") ? -1 : 1));
  const lastRead = new Map(oldestFirst.map(({ slug, observed_at }) => [slug, observed_at]));
  const rarities = new Map(items.map((item) => [item.slug, item.rarity]));
  const bases = new Map(extras.map((extra) => [extra.slug, extra.base_fruit_slug]));
  return items.map((item) => ({
    ...item,
    aliases: aliases.get(item.slug) ?? "",
    rarity: item.rarity || rarities.get(bases.get(item.slug)) || "legendary",
    demand: item.demand || "medium",
    current_value: item.current_value || "N/A",
    previous_value: item.previous_value || "N/A",
    values_checked_at: item.permanent_value ? CHECKED_AT.permanent : CHECKED_AT.regular,
    updated_at: lastRead.get(item.slug) ?? CHECKED_AT.regular,
  }));
}

async function insertCategories(client: Client, rows: Row[]): Promise<void> {
  await client.query(
    `insert into public.categories (slug, name, icon, display_order)
     select slug, name, icon, display_order
     from jsonb_to_recordset($1::jsonb) as row (slug text, name text, icon text, display_order integer)`,
    [JSON.stringify(rows)],
  );
}

async function insertItems(client: Client, rows: Row[]): Promise<void> {
  await client.query(
    `insert into public.items (name, slug, aliases, category_id, type, rarity, demand, image_url, current_value,
       previous_value, permanent_value, permanent_previous_value, beli_price, robux_price, values_checked_at, updated_at)
     select row.name, row.slug, row.aliases, categories.id, row.type, row.rarity, row.demand, '/items/' || row.slug || '.svg',
       row.current_value, row.previous_value, nullif(row.permanent_value, ''),
       nullif(row.permanent_previous_value, ''), nullif(row.beli_price, ''), nullif(row.robux_price, ''),
       row.values_checked_at, row.updated_at at time zone 'utc'
     from jsonb_to_recordset($1::jsonb) as row (name text, slug text, aliases text, category text, type text, rarity text,
       demand text, current_value text, previous_value text, permanent_value text, permanent_previous_value text,
       beli_price text, robux_price text, values_checked_at timestamptz, updated_at timestamp)
     join public.categories on categories.slug = row.category`,
    [JSON.stringify(rows)],
  );
}

/** Records each reading as a change from the previous one, without an author. */
async function insertReadings(client: Client, rows: Row[]): Promise<void> {
  await client.query(
    `insert into public.item_value_changes (item_id, mode, old_value, new_value, reason, changed_at)
     select items.id, row.mode,
       lag(row.value) over (partition by row.slug, row.mode order by row.observed_at), row.value, $2,
       row.observed_at at time zone 'utc'
     from jsonb_to_recordset($1::jsonb) as row (slug text, mode text, value text, observed_at timestamp)
     join public.items on items.slug = row.slug
     order by row.observed_at, row.slug, row.mode`,
    [JSON.stringify(rows), READING],
  );
}
