import type { Client } from "#app/features/site/client.ts";
import { readAllOrNull } from "#app/features/site/read-all.ts";
import type { ValueRange } from "#domain/values/value-range.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";

/** The range of an item's value, in each mode that has one. */
export type ItemRanges = Partial<Record<ViewMode, ValueRange>>;

/** The ranges of some or all items, by item id; empty if the read fails. */
export async function listValueRanges(
  client: Client,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, ItemRanges>> {
  const rows = await readAllOrNull((from, to) =>
    client
      .rpc("list_value_ranges", ids ? { ids: [...ids] } : {}, { count: "exact" })
      .select("item_id, mode, low, high, confidence, game_update, volatile_until")
      .range(from, to),
  );
  const ranges = new Map<string, ItemRanges>();
  for (const { item_id, mode, ...range } of rows ?? []) {
    ranges.set(item_id, { ...ranges.get(item_id), [mode as ViewMode]: range as ValueRange });
  }
  return ranges;
}
