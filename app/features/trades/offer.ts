import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { type MeanDemand, meanDemand } from "#domain/items/demand.ts";
import { titled } from "#domain/text/words.ts";
import type { TradeSlot } from "#domain/trades/trade-url.ts";
import { type OfferTotal, totalOffer } from "#domain/trades/verdict.ts";
import { formatNumber } from "#domain/values/value-text.ts";
import { type ViewMode, valueIn } from "#domain/values/view-mode.ts";

export type FilledSlot = { item: CalculatorItem; mode: ViewMode };

/** A slot whose item is not in the catalogue, with the name spelled by its slug. */
type UnknownSlot = { unknown: string };

export type OfferSlot = FilledSlot | UnknownSlot | null;

/** One side of the calculator: its slots (null if empty), their items, and the totals. */
export type Offer = {
  slots: OfferSlot[];
  filled: FilledSlot[];
  unknown: string[];
  sum: OfferTotal;
  /** The range of the total. */
  range: [low: number, high: number];
  /** Why its values may change; absent if they are settled. */
  unsettled: string | undefined;
  demand: MeanDemand;
};

/**
 * Looks up a side's items and adds them up. An unknown item counts as unpriced; if no items could be read (`items` is
 * null), unknown ones cannot be told apart, and the slots stay empty.
 */
export function makeOffer(
  slots: readonly TradeSlot[],
  items: ReadonlyMap<string, CalculatorItem> | null,
): Offer {
  const found = slots.map((slot) => (slot && items ? findItem(slot, items) : null));
  const filled = found.filter((slot) => slot !== null && "item" in slot);
  const unknown = found.flatMap((slot) => (slot && "unknown" in slot ? [slot.unknown] : []));
  const values = [...filled.map(({ item, mode }) => valueIn(item, mode)), ...unknown.map(() => null)];
  return {
    slots: found,
    filled,
    unknown,
    sum: totalOffer(values),
    range: addRanges(filled),
    unsettled: filled.find(({ item }) => item.unsettled)?.item.unsettled,
    demand: meanDemand(filled.map(({ item }) => item.demand)),
  };
}

function addRanges(slots: readonly FilledSlot[]): Offer["range"] {
  let [low, high] = [0, 0];
  for (const { item, mode } of slots) {
    const value = valueIn(item, mode) ?? 0;
    const range = item.ranges?.[mode] ?? [value, value];
    low += range[0];
    high += range[1];
  }
  return [low, high];
}

function findItem(
  { slug, mode }: NonNullable<TradeSlot>,
  items: ReadonlyMap<string, CalculatorItem>,
): FilledSlot | UnknownSlot {
  const item = items.get(slug);
  return item ? { item, mode } : { unknown: titled(slug.replaceAll("-", " ")) };
}

/** The contents of a side, grouped: `2 Dough`, `permanent Portal`. */
export function nameItems({ filled, unknown }: Pick<Offer, "filled" | "unknown">): string[] {
  const counts = new Map<string, number>();
  const names = filled.map(({ item, mode }) => (mode === "permanent" ? `permanent ${item.name}` : item.name));
  for (const name of [...names, ...unknown]) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`));
}

/** The total of a side, with what it lacks: `640M + 1 unpriced`. */
export function describeTotal({ sum: { total, unpriced } }: Offer): string {
  return formatNumber(total) + (unpriced > 0 ? ` + ${unpriced} unpriced` : "");
}
