import { type MeanDemand, meanDemand } from "#domain/demand.ts";
import type { TradeSlot } from "#domain/trade-url.ts";
import { type OfferTotal, totalOffer } from "#domain/verdict.ts";
import { type ViewMode, valueIn } from "#domain/view-mode.ts";
import type { CalculatorItem } from "../items/item-queries.ts";

/** A slot with the item it holds. */
export type FilledSlot = { item: CalculatorItem; mode: ViewMode };

/** One side of the calculator: its slots, null where empty, and what they add up to. */
export type Offer = { slots: (FilledSlot | null)[]; sum: OfferTotal; demand: MeanDemand };

/** Looks up a side's items and adds them up; a slug without an item is an empty slot. */
export function makeOffer(slots: readonly TradeSlot[], items: ReadonlyMap<string, CalculatorItem>): Offer {
  const resolved = slots.map((slot) => {
    const item = slot && items.get(slot.slug);
    return item ? { item, mode: slot.mode } : null;
  });
  const filled = resolved.filter((slot) => slot !== null);
  return {
    slots: resolved,
    sum: totalOffer(filled.map(({ item, mode }) => valueIn(item, mode))),
    demand: meanDemand(filled.map(({ item }) => item.demand)),
  };
}
