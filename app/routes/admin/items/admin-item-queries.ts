import type { Item } from "#app/features/items/item-queries.ts";
import type { Client } from "#app/features/site/client.ts";
import { ROWS_PER_ANSWER, readAll } from "#app/features/site/read-all.ts";
import type { ItemWrite } from "#domain/items/item-import.ts";
import type { Json, Tables } from "#supabase/database.types.ts";

// Each of these throws the service's error if it refuses, and a TypeError if it cannot be reached.

/** All items with all columns, by name (7.read.07), read to their counted end. */
function listAdminItems(client: Client): Promise<Item[]> {
  return readAll((from, to) =>
    client.from("items").select("*", { count: "exact" }).order("name").order("id").range(from, to),
  );
}

/** How long after its timestamp a change may become visible, in milliseconds: its transaction's duration. */
const SEEN_WITHIN = 60_000;

/**
 * Refreshes items read before: reads only what changed since, and everything if the count then shows that items were
 * added or deleted otherwise. Saves reading ten thousand rows for one change.
 */
export async function listAdminItemsAgain(client: Client, known: readonly Item[]): Promise<Item[]> {
  if (known.length <= ROWS_PER_ANSWER) return listAdminItems(client);
  const since = lastMoment(known);
  const all = () => client.from("items").select("*", { count: "exact", head: true });
  const [{ data: changed }, { count }] = await Promise.all([
    client
      .from("items")
      .select("*")
      .or(`updated_at.gte.${since},values_checked_at.gte.${since}`)
      .limit(ROWS_PER_ANSWER)
      .throwOnError(),
    all().throwOnError(),
  ]);
  const rows = new Map(known.map((item) => [item.id, item]));
  for (const item of changed) rows.set(item.id, item);
  return changed.length < ROWS_PER_ANSWER && rows.size === count
    ? [...rows.values()]
    : listAdminItems(client);
}

/** Later changes have a later timestamp in one of the two columns, except for transactions in progress at the time. */
function lastMoment(items: readonly Item[]): string {
  const moments = items.flatMap((item) => [Date.parse(item.updated_at), Date.parse(item.values_checked_at)]);
  return new Date(moments.reduce((a, b) => Math.max(a, b), 0) - SEEN_WITHIN).toISOString();
}

/** An item as it is now; null if it was deleted. */
export async function findItem(client: Client, by: { id: string } | { slug: string }): Promise<Item | null> {
  const { data } = await client.from("items").select("*").match(by).maybeSingle().throwOnError();
  return data;
}

export async function insertItem(client: Client, item: ItemWrite): Promise<Item> {
  const { data } = await client.from("items").insert(item).select("*").single().throwOnError();
  return data;
}

/** What is written to an item, and why its values change, which goes into the ledger. */
export type ItemPatch = Partial<ItemWrite> & { change_reason?: string | null };

/** Updates an item if nobody changed it since `updated_at`; null if someone did, or it was deleted. */
export async function updateItem(
  client: Client,
  { id, updated_at }: Pick<Item, "id" | "updated_at">,
  patch: ItemPatch,
): Promise<Item | null> {
  const { data } = await client
    .from("items")
    .update(patch)
    .eq("id", id)
    .eq("updated_at", updated_at)
    .select("*")
    .maybeSingle()
    .throwOnError();
  return data;
}

/** Deletes an item, whoever edited it last; false if it was already deleted or is not accessible. */
export async function deleteItem(client: Client, id: string): Promise<boolean> {
  const { data } = await client.from("items").delete().eq("id", id).select("id").throwOnError();
  return data.length > 0;
}

export type LedgerRow = Omit<
  Tables<"item_value_changes">,
  "item_id" | "changed_by" | "old_number" | "new_number" | "change_percent" | "old_low" | "old_high"
> & { changed_by_name: string | null; reason_label: string | null; editor_name: string | null };

/** The changes of an item's values with their authors, newest first, at most 200. */
export async function listLedger(client: Client, itemId: string): Promise<LedgerRow[]> {
  const { data } = await client
    .rpc("list_value_changes", { item: itemId })
    .order("changed_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(200)
    .throwOnError();
  return data;
}

/** Writes all of these items or none. An import whose response was lost succeeds if it was stored. */
export async function importItems(
  client: Client,
  work: { id: string; changes: readonly object[]; reason?: string },
): Promise<void> {
  const { error } = await client.rpc("import_items", {
    changes: work.changes as unknown as Json,
    import_id: work.id,
    ...(work.reason ? { reason: work.reason } : {}),
  });
  if (!error) return;
  const { data: stored } = await client.from("item_imports").select("id").eq("id", work.id).maybeSingle();
  if (!stored) throw error;
}

/** The latest imports, newest first, each with its first item and the state in which it left that. */
export async function listImports(client: Client) {
  const { data } = await client
    .from("item_imports")
    .select("id, imported_at, item_id:rows->0->>id, left_at:rows->0->>updated_at")
    .order("imported_at", { ascending: false })
    .limit(5)
    .throwOnError();
  return data;
}
