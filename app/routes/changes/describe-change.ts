import { describeWord } from "#app/features/items/change-reason.ts";
import { titled } from "#domain/text/words.ts";
import { formatPercentage, trendOf } from "#domain/values/value-change.ts";
import { formatValue } from "#domain/values/value-text.ts";
import { modeQuery } from "#domain/values/view-mode.ts";
import type { ShownChange } from "./read-changes.ts";

/** What changed about the item, if it is not its regular value. */
export function describePart({ kind, mode }: ShownChange): string | null {
  if (kind !== "value") return titled(kind);
  return mode === "permanent" ? "Permanent" : null;
}

/** A value or word, before or after the change, in display form. */
export function describeSide({ kind }: ShownChange, text: string | null): string {
  return kind === "value" ? formatValue(text) : describeWord(text);
}

/** `640M → 700M (+9.38%)`, `First value 640M`, or `Low → High`. */
export function describeChange(change: ShownChange): string {
  const { kind, old_value, new_value, change_percent } = change;
  if (kind === "value" && old_value === null) return `First value ${formatValue(new_value)}`;
  const figures = `${describeSide(change, old_value)} → ${describeSide(change, new_value)}`;
  return change_percent === null ? figures : `${figures} (${formatPercentage(change_percent)})`;
}

/** A change in percent and its direction; null if either value is unpriced, and for words. */
export function moveOf({ change_percent }: ShownChange) {
  if (change_percent === null) return null;
  return { trend: trendOf(change_percent), text: formatPercentage(change_percent) };
}

export function pathOf({ item, mode }: Pick<ShownChange, "item" | "mode">): string {
  return `/fruits/${item.slug}${modeQuery(mode)}`;
}

/** The change's anchor in the list of changes. */
export function anchorOf({ kind, id }: ShownChange): string {
  return `${kind === "value" ? "c" : "d"}${id}`;
}

/** Shown if no reason was given. */
export const NO_REASON = "No reason was written down.";
