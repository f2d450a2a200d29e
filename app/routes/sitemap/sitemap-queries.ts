import type { Client } from "#app/features/site/client.ts";

/** What the sitemap says of an item. */
export type ItemDate = { slug: string; updated_at: string };

/** A hosted backend cuts every answer at this many rows unless configured otherwise. */
const PAGE = 1000;

/** The slug and the last edit of every item, also of a catalogue longer than one answer; null when a read failed. */
export async function readItemDates(supabase: Client): Promise<ItemDate[] | null> {
  const dates: ItemDate[] = [];
  for (let from = 0; ; from += PAGE) {
    const { data, error } = await supabase
      .from("items")
      .select("slug, updated_at")
      .order("slug")
      .range(from, from + PAGE - 1);
    if (error) return null;
    dates.push(...data);
    if (data.length < PAGE) return dates;
  }
}
