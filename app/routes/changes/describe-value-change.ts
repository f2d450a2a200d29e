import { formatPercentage, trendOf } from "#domain/values/value-change.ts";
import { formatValue } from "#domain/values/value-text.ts";
import type { ShownChange } from "./read-changes.ts";

/** `640M → 700M (+9.38%)`, or `First value 640M`. */
export function describeValueChange({ old_value, new_value, change_percent }: ShownChange): string {
  if (old_value === null) return `First value ${formatValue(new_value)}`;
  const figures = `${formatValue(old_value)} → ${formatValue(new_value)}`;
  return change_percent === null ? figures : `${figures} (${formatPercentage(change_percent)})`;
}

/** What a change did, in percent and as a direction; null where either value is unpriced. */
export function moveOf({ change_percent }: ShownChange) {
  if (change_percent === null) return null;
  return { trend: trendOf(change_percent), text: formatPercentage(change_percent) };
}

/** Where the item stands, in the mode that changed. */
export function pathOf({ item, mode }: ShownChange): string {
  return `/fruits/${item.slug}${mode === "permanent" ? "?mode=permanent" : ""}`;
}

/** What stands for a reason that nobody wrote down. */
export const NO_REASON = "No reason was written down.";
