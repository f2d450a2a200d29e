import type { Item } from "#app/features/items/item-queries.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import type { Database } from "#supabase/database.types.ts";

// Each of these throws the service's error if it refuses, and a TypeError if it cannot be reached.

type Functions = Database["public"]["Functions"];
/** Why an item is due. */
export type WorkParts = Omit<Functions["list_work"]["Returns"][number], "game_update"> & {
  game_update: string | null;
};
export type Work = WorkParts & { item: Item };
export type EditorDay = Functions["list_editor_days"]["Returns"][number];

/** What this editor should review first, each with its item, in the database's order (P140). */
export async function readWork(client: SessionClient): Promise<Work[]> {
  const { data: parts } = await client.rpc("list_work").throwOnError();
  if (parts.length === 0) return [];
  const ids = parts.map(({ item_id }) => item_id);
  const { data: items } = await client.from("items").select("*").in("id", ids).throwOnError();
  const byId = new Map(items.map((item) => [item.id, item]));
  return parts.flatMap((part) => {
    const item = byId.get(part.item_id);
    return item ? [{ ...part, item }] : [];
  });
}

/** What each editor did since the reader's midnight, the reader first. */
export async function readDays(client: SessionClient): Promise<EditorDay[]> {
  const since = new Date(siteNow());
  since.setHours(0, 0, 0, 0);
  const { data } = await client.rpc("list_editor_days", { since: since.toISOString() }).throwOnError();
  return data;
}

/** Skips an item for later; skipping it twice counts once. */
export async function skipItem(client: SessionClient, itemId: string): Promise<void> {
  await client
    .from("work_skips")
    .upsert({ item_id: itemId }, { onConflict: "editor_id,item_id,skipped_on", ignoreDuplicates: true })
    .throwOnError();
}
