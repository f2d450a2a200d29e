import type { Client } from "#app/features/site/client.ts";
import { readAllOrNull } from "#app/features/site/read-all.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import type { Tables } from "#supabase/database.types.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";

export type Item = Tables<"items">;

/** The names in a list of columns, so that a row type follows from the columns that are read. */
type Named<Columns extends string> = Columns extends `${infer First}, ${infer Rest}`
  ? First | Named<Rest>
  : Columns;

/** All columns of the most valuable items, unpriced last, ties by name, and the total number of items. */
export async function listDearestItems(
  client: Client,
  most: number,
): Promise<{ items: Item[]; count: number } | null> {
  const { data, error, count } = await client
    .from("items")
    .select("*", { count: "exact" })
    .order("current_value_number", { ascending: false, nullsFirst: false })
    .order("name")
    .order("id")
    .limit(most);
  return error ? null : { items: data, count: count ?? data.length };
}

/** All columns of some items, at most as many as an address can name, in their order; null if the read fails. */
export async function listItemsOf(client: Client, ids: readonly string[]): Promise<Item[] | null> {
  const { data, error } = await client.from("items").select("*").in("id", ids);
  if (error) return null;
  const byId = new Map(data.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const BRIEF_COLUMNS =
  "id, slug, name, aliases, category_id, rarity, demand, type, image_url, current_value, previous_value, permanent_value, permanent_previous_value, values_checked_at";

/** The columns of an item that lists filter and sort by. */
export type BriefItem = Pick<Item, Named<typeof BRIEF_COLUMNS>>;

/**
 * All items in brief, by current value, highest first, unpriced last, ties by name; null if the read fails. A catalogue
 * longer than one response is read to its counted end, so that nothing is cut off silently.
 */
export async function listBriefItems(client: Client): Promise<BriefItem[] | null> {
  return readAllOrNull((from, to) =>
    client
      .from("items")
      .select(BRIEF_COLUMNS, { count: "exact" })
      .order("current_value_number", { ascending: false, nullsFirst: false })
      .order("name")
      .order("id")
      .range(from, to),
  );
}

const CALCULATOR_COLUMNS =
  "id, slug, name, current_value, permanent_value, beli_price, robux_price, image_url, rarity, demand, aliases, category_id";

/** An item as the calculator reads it: the columns of 7.read.10, the slug for its URL, and what the picker searches. */
export type CalculatorItem = Pick<Item, Named<typeof CALCULATOR_COLUMNS>> & {
  /** The range of each mode's value; only where the verdict needs it. */
  ranges?: Partial<Record<ViewMode, [low: number, high: number]>>;
  /** The note shown with a trade while a game update leaves the item's value unsettled. */
  unsettled?: string;
};

/** All items for the calculator, by name; null if the read fails. */
export async function listCalculatorItems(client: Client): Promise<CalculatorItem[] | null> {
  return readAllOrNull((from, to) =>
    client
      .from("items")
      .select(CALCULATOR_COLUMNS, { count: "exact" })
      .order("name")
      .order("id")
      .range(from, to),
  );
}

/** When each item's values were last checked; null if the read fails. */
export async function listLastChecks(
  client: Client,
): Promise<Pick<Item, "id" | "values_checked_at">[] | null> {
  return readAllOrNull((from, to) =>
    client.from("items").select("id, values_checked_at", { count: "exact" }).order("id").range(from, to),
  );
}

/** The database refuses a text with a null character, which no slug has; that is no failed read. */
const isNoSlug = (text: string) => text.includes("\0");

/** The item with this slug, or `null`; `failed` if the read failed, which is not the same. */
export async function findItemBySlug(
  client: Client,
  slug: string,
): Promise<{ item: Item | null; failed: boolean }> {
  if (isNoSlug(slug)) return { item: null, failed: false };
  const { data, error } = await client.from("items").select("*").eq("slug", slug).maybeSingle();
  return { item: error ? null : data, failed: error !== null };
}

/** The current slug of the item that formerly had this one, or `null`; `failed` as in `findItemBySlug`. */
export async function findSlugAfter(
  client: Client,
  former: string,
): Promise<{ slug: string | null; failed: boolean }> {
  if (isNoSlug(former)) return { slug: null, failed: false };
  const { data, error } = await client
    .from("former_slugs")
    .select("items (slug)")
    .eq("slug", former)
    .maybeSingle();
  return { slug: data?.items.slug ?? null, failed: error !== null };
}

const RELATED_COLUMNS = "slug, name, image_url, current_value, permanent_value, values_checked_at";

/** An item as shown among related items. */
export type RelatedItem = Pick<Item, Named<typeof RELATED_COLUMNS>>;

/** The most valuable other items of a category; empty if there are none or the read fails. */
export async function listRelatedItems(client: Client, item: Item, limit: number): Promise<RelatedItem[]> {
  if (item.category_id === null) return [];
  const answer = await client
    .from("items")
    .select(RELATED_COLUMNS)
    .eq("category_id", item.category_id)
    .neq("id", item.id)
    .order("current_value_number", { ascending: false, nullsFirst: false })
    .order("name")
    .limit(limit);
  return ignoreFailedRead(answer, []);
}
