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

/** Why a value changed: the chosen reason's words and the note, `The game was updated: Update 25`. */
export function describeReason({
  reason_label,
  reason,
}: Pick<ShownChange, "reason_label" | "reason">): string {
  return [reason_label, reason].filter(Boolean).join(": ") || "No reason was written down.";
}

/** In which role it was changed, never by whom; null where that is not known. */
export function describeRole({ changed_as, is_seconded }: ShownChange): string | null {
  if (changed_as === null) return null;
  return `By an ${changed_as}${is_seconded ? ", seen by a second person" : ""}`;
}
