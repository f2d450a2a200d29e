import type { SupabaseClient } from "@supabase/supabase-js";
import { listCategories } from "#app/features/categories/category-queries.ts";
import type { Database } from "#supabase/database.types.ts";
import type { ChangeQuery } from "./change-query.ts";

export const CHANGES_A_PAGE = 50;

/** No category has it. */
const NONE = "00000000-0000-0000-0000-000000000000";

const COLUMNS =
  "id, mode, old_value, new_value, change_percent, reason, changed_at, evidence_url, changed_as, is_seconded, value_reasons(label), items!inner(name, slug, image_url)";

/**
 * Changes that a query asks for, newest first, whether there are older ones, and the categories to choose from; null
 * when the read fails.
 */
export async function readChanges(client: SupabaseClient<Database>, query: ChangeQuery) {
  const categories = await listCategories(client);
  // A reading that found the same value again is none.
  let reading = client
    .from("item_value_changes")
    .select(COLUMNS)
    .or("change_percent.is.null,change_percent.neq.0");
  // The database's own signs for any character, and the one that stands for them in an address.
  const name = query.item.replace(/[%_*\\]/g, " ").trim();
  if (name) reading = reading.ilike("items.name", `%${name}%`);
  if (query.category) {
    const category = categories.find(({ slug }) => slug === query.category);
    reading = reading.eq("items.category_id", category?.id ?? NONE);
  }
  if (query.mode) reading = reading.eq("mode", query.mode);
  if (query.size) reading = reading.or(`change_percent.gte.${query.size},change_percent.lte.-${query.size}`);
  if (query.before) reading = reading.lt("id", query.before);
  const { data, error } = await reading.order("id", { ascending: false }).limit(CHANGES_A_PAGE + 1);
  if (error) return null;
  const changes = data.slice(0, CHANGES_A_PAGE).map(({ items: item, value_reasons, ...change }) => ({
    ...change,
    item,
    /** The words of the reason that was chosen. */
    reason_label: value_reasons?.label ?? null,
  }));
  return {
    changes,
    hasMore: data.length > CHANGES_A_PAGE,
    categories: categories.map(({ slug, name }) => ({ slug, name })),
  };
}

export type ReadChanges = NonNullable<Awaited<ReturnType<typeof readChanges>>>;
export type ShownChange = ReadChanges["changes"][number];
