import type { Client } from "#app/features/site/client.ts";
import { readOn } from "#app/features/site/read-on.ts";

/** What the sitemap needs of an item. */
export type ItemDate = { slug: string; updated_at: string };

/** The slug and last edit of every item, also of a catalogue longer than one response; null if a read failed. */
export function readItemDates(supabase: Client): Promise<ItemDate[] | null> {
  return readOn((from, to) =>
    supabase.from("items").select("slug, updated_at", { count: "exact" }).order("slug").range(from, to),
  );
}
