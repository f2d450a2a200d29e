import type { Client } from "#app/features/site/client.ts";
import { readOn } from "#app/features/site/read-on.ts";
import type { ValueRange } from "#domain/values/value-range.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";

/** What an item's values may be off by, in each mode that has a value. */
export type ItemRanges = Partial<Record<ViewMode, ValueRange>>;

/** The ranges of some items, or of all, by the item's id; none when the read fails. */
export async function listValueRanges(
  client: Client,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, ItemRanges>> {
  const rows = await readOn((from, to) =>
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
