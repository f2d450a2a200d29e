import type { Trade, TradeSlot } from "#domain/trades/trade-url.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";

/** The two sides of a trade, as their panels are headed. */
export const SIDES = ["you", "them"] as const;
export type Side = (typeof SIDES)[number];

/** One of the 18 slots. */
export type SlotPlace = { side: Side; index: number };

/** Puts an item into a slot, always in regular mode (4.slots.02). */
export function pickItem(trade: Trade, place: SlotPlace, slug: string): Trade {
  return withSlot(trade, place, { slug, mode: "regular" });
}

/** Empties a slot; being empty, it is regular again (4.slots.01). */
export function removeItem(trade: Trade, place: SlotPlace): Trade {
  return withSlot(trade, place, null);
}

/** Shows a filled slot in a mode; an empty one stays as it is. */
export function setMode(trade: Trade, place: SlotPlace, mode: ViewMode): Trade {
  const slot = trade[place.side][place.index];
  return slot ? withSlot(trade, place, { ...slot, mode }) : trade;
}

function withSlot(trade: Trade, { side, index }: SlotPlace, slot: TradeSlot): Trade {
  return { ...trade, [side]: trade[side].with(index, slot) };
}
