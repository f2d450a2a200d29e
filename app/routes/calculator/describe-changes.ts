import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import type { FilledSlot } from "#app/features/trades/offer.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { figuresOf } from "#domain/values/view-mode.ts";

/** A sentence for each of the slots' items whose value changed; empty if none did, or if names or values are hidden. */
export function describeChanges(
  known: ReadonlyMap<string, CalculatorItem>,
  slots: readonly FilledSlot[],
  configuration: PageConfiguration,
): string {
  if (!isVisible(configuration, "name") || !isVisible(configuration, "current_value")) return "";
  const sentences = slots.map((slot) => {
    const before = known.get(slot.item.slug);
    if (!before) return "";
    const [was, is] = [before, slot.item].map((item) => figuresOf(item, slot.mode).value.text);
    const name = slot.mode === "permanent" ? `Permanent ${slot.item.name}` : slot.item.name;
    return was === is ? "" : `${name} went from ${was} to ${is}.`;
  });
  return [...new Set(sentences)].join(" ").trim();
}
