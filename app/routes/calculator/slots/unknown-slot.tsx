import { RemoveButton } from "#app/routes/calculator/slots/filled-slot.tsx";
import { SIDE_LABELS } from "#app/routes/calculator/slots/slot-element.ts";
import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";

type UnknownSlotProps = { name: string; place: SlotPlace; onRemove: (place: SlotPlace) => void };

/** A slot that a link fills with what the catalogue does not have, or has no longer: named, so that it is not overlooked. */
export function UnknownSlot({ name, place, onRemove }: UnknownSlotProps) {
  return (
    <fieldset className="slot-filled slot-unknown">
      <legend className="sr-only">
        {SIDE_LABELS[place.side]}, slot {place.index + 1}: {name}
      </legend>
      <RemoveButton name={name} onClick={() => onRemove(place)} />
      <p className="slot-name slot-name-alone">{name}</p>
      <p className="slot-price">Unknown item</p>
    </fieldset>
  );
}
