import type { Trade, TradeSlot } from "#domain/trades/trade-url.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";

/** One of the two sides. */
export type Side = keyof Trade;

/** One of the 18 slots. */
export type SlotPlace = { side: Side; index: number };

/** Puts an item into a slot, in regular mode by default (4.slots.02, P72). */
export function pickItem(trade: Trade, place: SlotPlace, slug: string, mode: ViewMode = "regular"): Trade {
  return withSlot(trade, place, { slug, mode });
}

/** Empties a slot, which resets it to regular mode (4.slots.01). */
export function removeItem(trade: Trade, place: SlotPlace): Trade {
  return withSlot(trade, place, null);
}

/** Sets a filled slot's mode; an empty one stays as it is. */
export function setMode(trade: Trade, place: SlotPlace, mode: ViewMode): Trade {
  const slot = trade[place.side][place.index];
  return slot ? withSlot(trade, place, { ...slot, mode }) : trade;
}

/** The next empty slot of the same side, from this place on and then from the start; null if the side is full. */
export function nextFreeSlot(trade: Trade, { side, index }: SlotPlace): SlotPlace | null {
  const slots = trade[side];
  const order = slots.map((_, step) => (index + step) % slots.length);
  const free = order.find((each) => slots[each] === null);
  return free === undefined ? null : { side, index: free };
}

/** Adds another one of a slot's item to the next empty slot of its side; unchanged if there is none. */
export function addOneMore(trade: Trade, place: SlotPlace): Trade {
  const slot = trade[place.side][place.index];
  const free = nextFreeSlot(trade, place);
  return slot && free ? withSlot(trade, free, slot) : trade;
}

function withSlot(trade: Trade, { side, index }: SlotPlace, slot: TradeSlot): Trade {
  return { ...trade, [side]: trade[side].with(index, slot) };
}
