import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database, Tables } from "#supabase/database.types.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";

export type Item = Tables<"items">;
export type ItemValueChange = Tables<"item_value_changes">;

type Client = SupabaseClient<Database>;

/** A hosted backend cuts every answer at this many rows unless configured otherwise. */
const ROWS_AN_ANSWER = 1000;

/**
 * All items, all columns, by the number of their current value, highest first, unpriced last, ties by name; null when
 * the read fails. A catalogue longer than one answer is read on until its counted end, so nothing is cut silently.
 */
export async function listItems(client: Client): Promise<Item[] | null> {
  return readOn((from) =>
    client
      .from("items")
      .select("*", { count: "exact" })
      .order("current_value_number", { ascending: false, nullsFirst: false })
      .order("name")
      .order("id")
      .range(from, from + ROWS_AN_ANSWER - 1),
  );
}

const CALCULATOR_COLUMNS =
  "id, slug, name, current_value, permanent_value, beli_price, robux_price, image_url, rarity, demand";

/** An item as the calculator reads it: the columns of 7.read.10, and the slug that its URL carries. */
export type CalculatorItem = Pick<
  Item,
  | "id"
  | "slug"
  | "name"
  | "current_value"
  | "permanent_value"
  | "beli_price"
  | "robux_price"
  | "image_url"
  | "rarity"
  | "demand"
>;

/** All items for the calculator, by name; null when the read fails. */
export async function listCalculatorItems(client: Client): Promise<CalculatorItem[] | null> {
  return readOn((from) =>
    client
      .from("items")
      .select(CALCULATOR_COLUMNS, { count: "exact" })
      .order("name")
      .order("id")
      .range(from, from + ROWS_AN_ANSWER - 1),
  );
}

/** The item of a slug, `null` when there is none; `failed` when the read failed, which is not the same. */
export async function findItemBySlug(
  client: Client,
  slug: string,
): Promise<{ item: Item | null; failed: boolean }> {
  const { data, error } = await client.from("items").select("*").eq("slug", slug).maybeSingle();
  return { item: error ? null : data, failed: error !== null };
}

/** What is drawn of a value's history. */
export type ValueReading = Pick<
  ItemValueChange,
  "mode" | "old_number" | "new_number" | "new_value" | "changed_at"
>;

/** Every change of an item's values in both modes, oldest first; empty when the read fails. */
export async function listItemValueChanges(client: Client, itemId: string): Promise<ValueReading[]> {
  const changes = await readOn((from) =>
    client
      .from("item_value_changes")
      .select("mode, old_number, new_number, new_value, changed_at", { count: "exact" })
      .eq("item_id", itemId)
      .order("changed_at")
      .order("id")
      .range(from, from + ROWS_AN_ANSWER - 1),
  );
  return changes ?? [];
}

const RECENT_COLUMNS = "old_number, new_number, changed_at";
/** Enough for the last year of a value, and a bound to what a long catalogue brings. */
const READINGS_AN_ITEM = 16;

/** The last readings of an item's value in each mode, newest first. */
export type RecentReadings = {
  id: string;
  regular: Pick<ItemValueChange, "old_number" | "new_number" | "changed_at">[];
  permanent: Pick<ItemValueChange, "old_number" | "new_number" | "changed_at">[];
};

/** The last readings of every item; empty when the read fails. */
export async function listRecentReadings(client: Client): Promise<RecentReadings[]> {
  const newest = { referencedTable: "regular", ascending: false } as const;
  const newestPermanent = { referencedTable: "permanent", ascending: false } as const;
  const readings = await readOn((from) =>
    client
      .from("items")
      .select(
        `id, regular:item_value_changes(${RECENT_COLUMNS}), permanent:item_value_changes(${RECENT_COLUMNS})`,
        { count: "exact" },
      )
      .eq("regular.mode", "regular")
      .eq("permanent.mode", "permanent")
      .order("changed_at", newest)
      .order("id", newest)
      .order("changed_at", newestPermanent)
      .order("id", newestPermanent)
      .limit(READINGS_AN_ITEM, { referencedTable: "regular" })
      .limit(READINGS_AN_ITEM, { referencedTable: "permanent" })
      .order("id")
      .range(from, from + ROWS_AN_ANSWER - 1),
  );
  return readings ?? [];
}

/** A change of a value, for telling when it happened. */
export type DatedChange = Pick<ItemValueChange, "item_id" | "old_number" | "new_number" | "changed_at">;

/** The regular values' changes of some items, newest first; empty when the read fails. */
export async function listDatedChanges(client: Client, itemIds: readonly string[]): Promise<DatedChange[]> {
  const answer = await client
    .from("item_value_changes")
    .select("item_id, old_number, new_number, changed_at")
    .eq("mode", "regular")
    .in("item_id", itemIds)
    .order("changed_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(ROWS_AN_ANSWER);
  return ignoreFailedRead(answer, []);
}

/** An item as a neighbor of another shows it. */
export type RelatedItem = Pick<Item, "slug" | "name" | "image_url" | "current_value" | "rarity">;

/** The most valuable other items of a category; empty when there is none or the read fails. */
export async function listRelatedItems(client: Client, item: Item, limit: number): Promise<RelatedItem[]> {
  if (item.category_id === null) return [];
  const answer = await client
    .from("items")
    .select("slug, name, image_url, current_value, rarity")
    .eq("category_id", item.category_id)
    .neq("id", item.id)
    .order("current_value_number", { ascending: false, nullsFirst: false })
    .order("name")
    .limit(limit);
  return ignoreFailedRead(answer, []);
}

type Answer<T> = { data: T[] | null; error: unknown; count: number | null };

/** Reads answer after answer until the counted number of rows is there; null when one of them fails. */
async function readOn<T>(read: (from: number) => PromiseLike<Answer<T>>): Promise<T[] | null> {
  const rows: T[] = [];
  for (;;) {
    const { data, error, count } = await read(rows.length);
    if (error || data === null) return null;
    rows.push(...data);
    if (data.length === 0 || rows.length >= (count ?? 0)) return rows;
  }
}
