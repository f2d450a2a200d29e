import type { Side, SlotPlace } from "#app/routes/calculator/trade-moves.ts";

/** How the panels are headed (2.calc.01). */
export const SIDE_LABELS: Record<Side, string> = { you: "You", them: "Them" };

/** The id of a slot's element on the page. */
export function slotId({ side, index }: SlotPlace): string {
  return `slot-${side}-${index + 1}`;
}

/** Gives focus to what a slot offers first: Add Item, or the mode of the item in it; where it waits unseen, Add Item before it. */
export function focusSlot(place: SlotPlace) {
  const slot = document.getElementById(slotId(place));
  const target = slot?.checkVisibility()
    ? slot.querySelector<HTMLElement>("input:checked, [data-add-item]")
    : document.querySelector<HTMLElement>(`.offer-${place.side} [data-add-item]`);
  target?.focus();
}
