import type { Offer } from "#app/features/trades/offer.ts";
import type { Side, SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import { OfferDemand, OfferValue } from "#app/routes/calculator/verdict/offer-figures.tsx";
import { Card } from "#app/ui/card.tsx";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { FilledSlot, RemoveButton } from "./filled-slot.tsx";
import { SIDE_LABELS, slotId } from "./slot-element.ts";

type SlotActions = {
  onOpen: (place: SlotPlace) => void;
  onMore: (place: SlotPlace) => void;
  onMode: (place: SlotPlace, mode: ViewMode) => void;
  onRemove: (place: SlotPlace) => void;
};

type OfferPanelProps = SlotActions & {
  side: Side;
  offer: Offer;
  configuration: PageConfiguration;
  /** The slot whose picker is loading. */
  busy: SlotPlace | null;
};

/**
 * One side of the trade: its totals and nine slots, three per row at every width (2.calc.01, .02, .13, .14). On a phone
 * it grows with its content: rows after the first empty slot stay hidden until needed (P72).
 */
export function OfferPanel({ side, offer, configuration, busy, ...actions }: OfferPanelProps) {
  const title = `${side}-title`;
  const shown = countShown(offer.slots);
  const full = !offer.slots.includes(null);
  return (
    <Card as="section" pad={false} aria-labelledby={title} className={`offer offer-${side}`}>
      <h2 id={title}>{SIDE_LABELS[side]}</h2>
      <dl>
        <div>
          <dt>VALUE</dt>
          <dd>
            <OfferValue offer={offer} />
          </dd>
        </div>
        {isVisible(configuration, "demand") && (
          <div>
            <dt>DEMAND</dt>
            <dd>
              <OfferDemand offer={offer} />
            </dd>
          </div>
        )}
      </dl>
      <ol>
        {offer.slots.map((slot, index) => {
          const place = { side, index };
          return (
            <li key={slotId(place)} id={slotId(place)} className={index < shown ? undefined : "slot-spare"}>
              {slot && "item" in slot ? (
                <FilledSlot {...slot} place={place} full={full} configuration={configuration} {...actions} />
              ) : (
                <EmptySlot
                  place={place}
                  unknown={slot?.unknown}
                  busy={isSame(place, busy)}
                  onOpen={actions.onOpen}
                  onRemove={actions.onRemove}
                />
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** The number of slots in the rows up to the last item and the first empty slot. */
function countShown(slots: Offer["slots"]): number {
  const last = Math.max(
    slots.findLastIndex((slot) => slot !== null),
    slots.indexOf(null),
  );
  return Math.ceil((last + 1) / 3) * 3;
}

function isSame(place: SlotPlace, other: SlotPlace | null): boolean {
  return place.side === other?.side && place.index === other.index;
}

type EmptySlotProps = {
  place: SlotPlace;
  /** The name in a link of an item that is not in the catalogue: shown, so that it is not overlooked. */
  unknown: string | undefined;
  /** Whether the picker was opened here and is still loading. */
  busy: boolean;
  onOpen: (place: SlotPlace) => void;
  onRemove: (place: SlotPlace) => void;
};

/** An empty slot, which opens the picker (2.calc.03, 2.calc.04). */
function EmptySlot({ place, unknown, busy, onOpen, onRemove }: EmptySlotProps) {
  const label = `${SIDE_LABELS[place.side]}, slot ${place.index + 1}`;
  const button = (
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
      <span className="sr-only">to {label}</span>
    </button>
  );
  if (!unknown) return button;
  return (
    <fieldset className="slot-filled slot-unknown">
      <legend className="sr-only">
        {label}: {unknown}
      </legend>
      <RemoveButton name={unknown} onClick={() => onRemove(place)} />
      <p className="slot-name">{unknown}</p>
      <p className="slot-price">Unknown item</p>
      {button}
    </fieldset>
  );
}
