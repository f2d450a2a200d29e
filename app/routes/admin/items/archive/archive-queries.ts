import type { Item } from "#app/features/items/item-queries.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Tables } from "#supabase/database.types.ts";

export type ArchivedItem = Pick<
  Tables<"archived_items">,
  "id" | "name" | "slug" | "image_url" | "archived_at" | "value_change_count"
> & { profiles: { username: string } | null };

export type ArchivePage = { items: ArchivedItem[]; hasMore: boolean };

// Each of these throws what the service answered when it refuses.

/** The newest so many of the deleted items, with who deleted them. */
export async function listArchive(client: SessionClient, limit: number): Promise<ArchivePage> {
  const { data } = await client
    .from("archived_items")
    .select("id, name, slug, image_url, archived_at, value_change_count, profiles(username)")
    .order("archived_at", { ascending: false })
    .order("id")
    .limit(limit + 1)
    .throwOnError();
  return { items: data.slice(0, limit), hasMore: data.length > limit };
}

/** Brings an item back with its whole ledger; the item as it is now. */
export async function restoreItem(client: SessionClient, id: string): Promise<Item> {
  const { data } = await client.rpc("restore_item", { item_id: id }).single().throwOnError();
  return data;
}
