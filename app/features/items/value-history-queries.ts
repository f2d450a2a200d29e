import type { Client } from "#app/features/site/client.ts";
import { ROWS_PER_ANSWER, readAllOrNull } from "#app/features/site/read-all.ts";
import type { Tables } from "#supabase/database.types.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";
import type { ChangeMaker, ChangeReason } from "./change-reason.ts";

type ItemValueChange = Tables<"item_value_changes">;

/** A change in a value's history, for the chart and the table. */
export type ValueReading = Pick<
  ItemValueChange,
  "id" | "mode" | "new_number" | "changed_at" | "reason_code" | "evidence_url" | "is_seconded"
> &
  ChangeReason &
  ChangeSource;

/** The source of a change besides its own row: a public name, and an approved picture. */
type ChangeSource = Pick<ChangeMaker, "editor_name"> & { picture: string | null };
/** By kind and id of the change. */
export type ChangeSources = ReadonlyMap<string, ChangeSource>;
const NO_SOURCE: ChangeSource = { editor_name: null, picture: null };

/** The sources of an item's changes, where they have any; empty if the read fails. */
export async function listItemSources(client: Client, itemId: string): Promise<ChangeSources> {
  const sources = ignoreFailedRead(await client.rpc("list_item_sources", { of_item: itemId }), []);
  return new Map(sources.map(({ kind, id, ...source }) => [`${kind} ${id}`, source]));
}

/** Every change of an item's values in both modes, oldest first; null if the read fails. */
export async function listItemValueChanges(
  client: Client,
  itemId: string,
  sources: Promise<ChangeSources>,
): Promise<ValueReading[] | null> {
  const changes = await readAllOrNull((from, to) =>
    client
      .from("item_value_changes")
      .select(
        "id, mode, new_number, reason, changed_at, reason_code, evidence_url, is_seconded, value_reasons(label)",
        { count: "exact" },
      )
      .eq("item_id", itemId)
      .order("changed_at")
      .order("id")
      .range(from, to),
  );
  const known = await sources;
  if (!changes) return null;
  return changes.map(({ value_reasons, ...change }) => ({
    ...change,
    reason_label: value_reasons?.label ?? null,
    ...(known.get(`value ${change.id}`) ?? NO_SOURCE),
  }));
}

/** When an item's values were checked and left unchanged, oldest first; empty if the read fails. */
export async function listItemChecks(client: Client, itemId: string): Promise<string[]> {
  const checks = await readAllOrNull((from, to) =>
    client
      .from("item_value_checks")
      .select("checked_at", { count: "exact" })
      .eq("item_id", itemId)
      .order("checked_at")
      .order("id")
      .range(from, to),
  );
  return checks?.map(({ checked_at }) => checked_at) ?? [];
}

export type ItemUpdate = Pick<Tables<"game_updates">, "name" | "happened_at">;

/** The game updates that affected an item, oldest first; empty if the read fails. */
export async function listItemUpdates(client: Client, itemId: string): Promise<ItemUpdate[]> {
  const answer = await client
    .from("game_updates")
    .select("name, happened_at, game_update_items!inner()")
    .eq("game_update_items.item_id", itemId)
    .lte("happened_at", new Date().toISOString())
    .order("happened_at")
    .limit(ROWS_PER_ANSWER);
  return ignoreFailedRead(answer, []);
}

export type DemandChange = Pick<
  Tables<"item_demand_changes">,
  "id" | "kind" | "old_word" | "new_word" | "changed_at" | "evidence_url"
> &
  ChangeReason &
  ChangeMaker &
  ChangeSource;

/** The latest changes of an item's demand and status, newest first; empty if the read fails. */
export async function listDemandChanges(
  client: Client,
  itemId: string,
  sources: Promise<ChangeSources>,
): Promise<DemandChange[]> {
  const answer = await client
    .from("item_demand_changes")
    .select(
      "id, kind, old_word, new_word, reason, changed_at, evidence_url, changed_as, is_seconded, value_reasons(label)",
    )
    .eq("item_id", itemId)
    .order("id", { ascending: false })
    .limit(50);
  const known = await sources;
  return ignoreFailedRead(answer, []).map(({ value_reasons, ...change }) => ({
    ...change,
    reason_label: value_reasons?.label ?? null,
    ...(known.get(`${change.kind} ${change.id}`) ?? NO_SOURCE),
  }));
}

const RECENT_COLUMNS = "old_number, new_number, changed_at";
/** Enough for a year of a value's history, while bounding the response for a long catalogue. */
const READINGS_AN_ITEM = 16;

/** The latest readings of an item's value in each mode, newest first. */
export type RecentReadings = {
  id: string;
  regular: Pick<ItemValueChange, "old_number" | "new_number" | "changed_at">[];
  permanent: Pick<ItemValueChange, "old_number" | "new_number" | "changed_at">[];
};

/** The latest readings of the most valuable items; empty if the read fails. */
export async function listRecentReadings(client: Client, most: number): Promise<RecentReadings[]> {
  const answer = await recentReadings(client)
    .order("current_value_number", { ascending: false, nullsFirst: false })
    .order("name")
    .order("id")
    .limit(most);
  return ignoreFailedRead(answer, []);
}

/** The latest readings of some items; empty if the read fails. */
export async function listRecentReadingsOf(
  client: Client,
  ids: readonly string[],
): Promise<RecentReadings[]> {
  return ignoreFailedRead(await recentReadings(client).in("id", ids), []);
}

function recentReadings(client: Client) {
  const newest = { referencedTable: "regular", ascending: false } as const;
  const newestPermanent = { referencedTable: "permanent", ascending: false } as const;
  return client
    .from("items")
    .select(
      `id, regular:item_value_changes(${RECENT_COLUMNS}), permanent:item_value_changes(${RECENT_COLUMNS})`,
    )
    .eq("regular.mode", "regular")
    .eq("permanent.mode", "permanent")
    .order("changed_at", newest)
    .order("id", newest)
    .order("changed_at", newestPermanent)
    .order("id", newestPermanent)
    .limit(READINGS_AN_ITEM, { referencedTable: "regular" })
    .limit(READINGS_AN_ITEM, { referencedTable: "permanent" });
}

export type DatedChange = Pick<ItemValueChange, "item_id" | "old_number" | "new_number" | "changed_at">;

/** The changes of some items' regular values, newest first; empty if the read fails. */
export async function listDatedChanges(client: Client, itemIds: readonly string[]): Promise<DatedChange[]> {
  const answer = await client
    .from("item_value_changes")
    .select("item_id, old_number, new_number, changed_at")
    .eq("mode", "regular")
    .in("item_id", itemIds)
    .order("changed_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(ROWS_PER_ANSWER);
  return ignoreFailedRead(answer, []);
}
