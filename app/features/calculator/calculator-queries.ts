import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database, Tables } from "#supabase/database.types.ts";

/** What the calculator knows of an item (specification §7), and the slug that stands for it in the URL. */
export type CalculatorItem = Pick<
  Tables<"items">,
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

/** Every item, by name; null when the read failed, so that it is never taken for an empty catalogue. */
export async function readCalculatorItems(
  supabase: SupabaseClient<Database>,
): Promise<CalculatorItem[] | null> {
  const { data, error } = await supabase
    .from("items")
    .select(
      "id, slug, name, current_value, permanent_value, beli_price, robux_price, image_url, rarity, demand",
    )
    .order("name");
  return error ? null : data;
}
