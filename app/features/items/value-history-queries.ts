import type { Client } from "#app/features/site/client.ts";
import { ROWS_AN_ANSWER, readOn } from "#app/features/site/read-on.ts";
import type { Tables } from "#supabase/database.types.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";
import type { ChangeMaker, ChangeReason } from "./change-reason.ts";

type ItemValueChange = Tables<"item_value_changes">;

/** What is drawn and told of a value's history. */
export type ValueReading = Pick<
  ItemValueChange,
  "id" | "mode" | "new_number" | "changed_at" | "evidence_url" | "is_seconded"
> &
  ChangeReason &
  ChangeSource;

/** What stands behind a change beside its own row: a public name, and a picture that everybody may see. */
type ChangeSource = Pick<ChangeMaker, "editor_name"> & { picture: string | null };
/** By kind and id of the change. */
export type ChangeSources = ReadonlyMap<string, ChangeSource>;
const NO_SOURCE: ChangeSource = { editor_name: null, picture: null };

/** What stands behind an item's changes, of those that have something; empty when the read fails. */
export async function listItemSources(client: Client, itemId: string): Promise<ChangeSources> {
  const sources = ignoreFailedRead(await client.rpc("list_item_sources", { of_item: itemId }), []);
  return new Map(sources.map(({ kind, id, ...source }) => [`${kind} ${id}`, source]));
}

/** Every change of an item's values in both modes, oldest first; empty when the read fails. */
export async function listItemValueChanges(
  client: Client,
  itemId: string,
  sources: Promise<ChangeSources>,
): Promise<ValueReading[]> {
  const changes = await readOn((from, to) =>
    client
      .from("item_value_changes")
      .select("id, mode, new_number, reason, changed_at, evidence_url, is_seconded, value_reasons(label)", {
        count: "exact",
      })
      .eq("item_id", itemId)
      .order("changed_at")
      .order("id")
      .range(from, to),
  );
  const known = await sources;
  return (changes ?? []).map(({ value_reasons, ...change }) => ({
    ...change,
    reason_label: value_reasons?.label ?? null,
    ...(known.get(`value ${change.id}`) ?? NO_SOURCE),
  }));
}

/** When an item's values were looked at and left as they were, oldest first; empty when the read fails. */
export async function listItemChecks(client: Client, itemId: string): Promise<string[]> {
  const checks = await readOn((from, to) =>
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

/** An update of the game that touched an item. */
export type ItemUpdate = Pick<Tables<"game_updates">, "name" | "happened_at">;

/** The updates of the game that touched an item, oldest first; empty when the read fails. */
export async function listItemUpdates(client: Client, itemId: string): Promise<ItemUpdate[]> {
  const answer = await client
    .from("game_updates")
    .select("name, happened_at, game_update_items!inner()")
    .eq("game_update_items.item_id", itemId)
    .lte("happened_at", new Date().toISOString())
    .order("happened_at")
    .limit(ROWS_AN_ANSWER);
  return ignoreFailedRead(answer, []);
}

/** A change of an item's demand, or of its status. */
export type DemandChange = Pick<
  Tables<"item_demand_changes">,
  "id" | "kind" | "old_word" | "new_word" | "changed_at" | "evidence_url"
> &
  ChangeReason &
  ChangeMaker &
  ChangeSource;

/** The last changes of an item's demand and status, newest first; empty when the read fails. */
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
/** Enough for the last year of a value, and a bound to what a long catalogue brings. */
const READINGS_AN_ITEM = 16;

/** The last readings of an item's value in each mode, newest first. */
export type RecentReadings = {
  id: string;
  regular: Pick<ItemValueChange, "old_number" | "new_number" | "changed_at">[];
  permanent: Pick<ItemValueChange, "old_number" | "new_number" | "changed_at">[];
};

/** The last readings of the items of highest value; empty when the read fails. */
export async function listRecentReadings(client: Client, most: number): Promise<RecentReadings[]> {
  const answer = await recentReadings(client)
    .order("current_value_number", { ascending: false, nullsFirst: false })
    .order("name")
    .order("id")
    .limit(most);
  return ignoreFailedRead(answer, []);
}

/** The last readings of some items; empty when the read fails. */
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

/** A change of a value, for telling when it happened. */
export type DatedChange = Pick<ItemValueChange, "item_id" | "old_number" | "new_number" | "changed_at">;

/** The regular values' changes of some items, newest first; empty when the read fails. */
export async function listDatedChanges(client: Client, itemIds: readonly string[]): Promise<DatedChange[]> {
  const answer = await client
    .from("item_value_changes")
    .select("item_id, old_number, new_number, changed_at")
    .eq("mode", "regular")
    .in("item_id", itemIds)
    .order("changed_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(ROWS_AN_ANSWER);
  return ignoreFailedRead(answer, []);
}
