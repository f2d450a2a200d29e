import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
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
      <PlusMark busy={busy} />
      <span>Add Item</span>
      <span className="sr-only">
        to {SIDE_LABELS[place.side]}, slot {place.index + 1}
      </span>
    </button>
  );
}

function PlusMark({ busy }: { busy: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
    >
      <path d={busy ? "M12 3a9 9 0 1 0 9 9" : "M12 5v14M5 12h14"} />
    </svg>
  );
}
