import type { Item } from "#app/features/items/item-queries.ts";
import type { Client } from "#app/features/site/client.ts";
import { ROWS_AN_ANSWER, readAll } from "#app/features/site/read-on.ts";
import type { ItemWrite } from "#domain/items/item-import.ts";
import type { Json, Tables } from "#supabase/database.types.ts";

// Each of these throws what the service answered when it refuses, and a TypeError when it cannot be reached.

/** All items with all columns, by name (7.read.07), read on to their counted end. */
function listAdminItems(client: Client): Promise<Item[]> {
  return readAll((from, to) =>
    client.from("items").select("*", { count: "exact" }).order("name").order("id").range(from, to),
  );
}

/** How long a change may take to be seen after the moment that it is stamped with, in milliseconds: its transaction's length. */
const SEEN_WITHIN = 60_000;

/**
 * All items again, after they were read before: what changed since is read alone, and everything where the count then tells
 * that items came or went otherwise. Ten thousand rows are not read for one that changed.
 */
export async function listAdminItemsAgain(client: Client, known: readonly Item[]): Promise<Item[]> {
  if (known.length <= ROWS_AN_ANSWER) return listAdminItems(client);
  const since = lastMoment(known);
  const all = () => client.from("items").select("*", { count: "exact", head: true });
  const [{ data: changed }, { count }] = await Promise.all([
    client
      .from("items")
      .select("*")
      .or(`updated_at.gte.${since},values_checked_at.gte.${since}`)
      .limit(ROWS_AN_ANSWER)
      .throwOnError(),
    all().throwOnError(),
  ]);
  const rows = new Map(known.map((item) => [item.id, item]));
  for (const item of changed) rows.set(item.id, item);
  return changed.length < ROWS_AN_ANSWER && rows.size === count ? [...rows.values()] : listAdminItems(client);
}

/** Whatever comes after it is stamped later, in one of the two columns, but for what was under way then. */
function lastMoment(items: readonly Item[]): string {
  const moments = items.flatMap((item) => [Date.parse(item.updated_at), Date.parse(item.values_checked_at)]);
  return new Date(moments.reduce((a, b) => Math.max(a, b), 0) - SEEN_WITHIN).toISOString();
}

/** An item as it is now; null when it is gone. */
export async function findItem(client: Client, by: { id: string } | { slug: string }): Promise<Item | null> {
  const { data } = await client.from("items").select("*").match(by).maybeSingle().throwOnError();
  return data;
}

export async function insertItem(client: Client, item: ItemWrite): Promise<Item> {
  const { data } = await client.from("items").insert(item).select("*").single().throwOnError();
  return data;
}

/** What is written of an item, and why its values change, which goes into the ledger. */
export type ItemPatch = Partial<ItemWrite> & { change_reason?: string | null };

/** Writes an item if nobody edited it since `updatedAt`; null when somebody did, or when it is gone. */
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

/** Deletes an item, whoever edited it last; false when it was gone already, or is out of reach. */
export async function deleteItem(client: Client, id: string): Promise<boolean> {
  const { data } = await client.from("items").delete().eq("id", id).select("id").throwOnError();
  return data.length > 0;
}

/** Says that an item's values were looked at and are still right. */
export async function checkItem(client: Client, id: string): Promise<void> {
  await client.from("item_value_checks").insert({ item_id: id }).throwOnError();
}

export type LedgerRow = Omit<
  Tables<"item_value_changes">,
  "item_id" | "changed_by" | "old_number" | "new_number" | "change_percent" | "old_low" | "old_high"
> & { changed_by_name: string | null; reason_label: string | null; editor_name: string | null };

/** The changes of an item's values with who made them, newest first, at most the last 200. */
export async function listLedger(client: Client, itemId: string): Promise<LedgerRow[]> {
  const { data } = await client
    .rpc("list_value_changes", { item: itemId })
    .order("changed_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(200)
    .throwOnError();
  return data;
}

/** Takes a change of a value back; refused when it was changed since. */
export async function undoChange(client: Client, changeId: number, reason: string): Promise<void> {
  await client.rpc("undo_value_change", { change_id: changeId, reason }).throwOnError();
}

/** Writes all of these items or none of them. An import whose answer got lost counts as done if it was stored. */
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

/** Takes a whole import back, or nothing of it. */
export async function undoImport(client: Client, id: string): Promise<void> {
  await client.rpc("undo_import", { import_id: id }).throwOnError();
}
