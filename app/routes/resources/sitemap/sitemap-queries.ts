import type { Client } from "#app/features/site/client.ts";
import { readAllOrNull } from "#app/features/site/read-all.ts";

/** What the sitemap needs of an item. */
export type ItemDate = { slug: string; updated_at: string };

/** The slug and last edit of every item, also of a catalogue longer than one response; null if a read failed. */
export function readItemDates(supabase: Client): Promise<ItemDate[] | null> {
  return readAllOrNull((from, to) =>
    supabase.from("items").select("slug, updated_at", { count: "exact" }).order("slug").range(from, to),
  );
}
