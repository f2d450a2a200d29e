import type { SessionClient } from "#app/features/session/session-client.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import type { Tables } from "#supabase/database.types.ts";

export type GameUpdate = Pick<
  Tables<"game_updates">,
  "id" | "name" | "happened_at" | "volatile_until" | "updated_at"
> & { game_update_items: { item_id: string }[] };

// Each of these throws the service's error if it refuses.

/** The latest game updates, with the items they affected. */
export async function listGameUpdates(client: SessionClient): Promise<GameUpdate[]> {
  const { data } = await client
    .from("game_updates")
    .select("id, name, happened_at, volatile_until, updated_at, game_update_items(item_id)")
    .order("happened_at", { ascending: false })
    .order("id")
    .limit(50)
    .throwOnError();
  return data;
}

/** `until` is null if it stays as it is; `was` is the version that was edited, null for a new one. */
export type MarkedUpdate = {
  id: string;
  was: string | null;
  name: string;
  until: string | null;
  items: readonly string[];
};

/** Adds an update with its items, or replaces one that nobody changed since, atomically. It can be repeated. */
export async function markGameUpdate(client: SessionClient, update: MarkedUpdate): Promise<void> {
  const { id, was, name, until, items } = update;
  await client
    .rpc("mark_game_update", {
      id,
      name,
      items: [...items],
      ...(until ? { volatile_until: until } : {}),
      ...(was ? { was } : {}),
    })
    .throwOnError();
}

/** Its items count as settled from now on. */
export async function endGameUpdate(client: SessionClient, { id }: Pick<GameUpdate, "id">): Promise<void> {
  const now = new Date(siteNow()).toISOString();
  const ending = client.from("game_updates").update({ volatile_until: now }).eq("id", id);
  requireRow(await ending.select("id").maybeSingle(), "update");
}

/** Deletes an update with its mark on pages and charts. */
export async function deleteGameUpdate(client: SessionClient, { id }: Pick<GameUpdate, "id">): Promise<void> {
  const deleting = client.from("game_updates").delete().eq("id", id);
  requireRow(await deleting.select("id").maybeSingle(), "update");
}
