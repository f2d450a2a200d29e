import type { Side, SlotPlace } from "#app/routes/calculator/trade-moves.ts";

/** The panels' headings (2.calc.01). */
export const SIDE_LABELS: Record<Side, string> = { you: "You", them: "Them" };

export function slotId({ side, index }: SlotPlace): string {
  return `slot-${side}-${index + 1}`;
}

/** Focuses a slot's first control: Add Item, or the mode of its item; if the slot is hidden, the Add Item before it. */
export function focusSlot(place: SlotPlace) {
  const slot = document.getElementById(slotId(place));
  const target = slot?.checkVisibility()
    ? slot.querySelector<HTMLElement>("input:checked, [data-add-item]")
    : document.querySelector<HTMLElement>(`.offer-${place.side} [data-add-item]`);
  target?.focus();
}
