import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { SIDE_LABELS } from "./slot-element.ts";

type EmptySlotProps = {
  place: SlotPlace;
  /** The picker was asked for here and is still being loaded. */
  busy: boolean;
  onOpen: (place: SlotPlace) => void;
};

/** A slot that asks for an item and opens the picker (2.calc.03, 2.calc.04). */
export function EmptySlot({ place, busy, onOpen }: EmptySlotProps) {
  return (
    <button
      type="button"
      data-add-item=""
      aria-busy={busy}
      aria-haspopup="dialog"
      onClick={() => onOpen(place)}
      className="slot-empty"
    >
      <LineIcon path={busy ? "M9 2.25a6.75 6.75 0 1 0 6.75 6.75" : "M9 3.75v10.5M3.75 9h10.5"} />
      <span>Add Item</span>
      <span className="sr-only">
        to {SIDE_LABELS[place.side]}, slot {place.index + 1}
      </span>
    </button>
  );
}
