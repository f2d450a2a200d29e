import type { Offer } from "#app/features/trades/offer.ts";
import type { Side, SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import { OfferDemand, OfferValue } from "#app/routes/calculator/verdict/offer-figures.tsx";
import { Card } from "#app/ui/card.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { EmptySlot } from "./empty-slot.tsx";
import { FilledSlot, RemoveButton } from "./filled-slot.tsx";
import { SIDE_LABELS, slotId } from "./slot-element.ts";

export type SlotActions = {
  onOpen: (place: SlotPlace) => void;
  onMode: (place: SlotPlace, mode: ViewMode) => void;
  onRemove: (place: SlotPlace) => void;
};

type OfferPanelProps = SlotActions & {
  side: Side;
  offer: Offer;
  configuration: PageConfiguration;
  /** The slot whose picker is being loaded. */
  busy: SlotPlace | null;
};

/** One side of the trade: nine slots, three in a row at every width, and their sums (2.calc.01, .02, .13, .14). */
export function OfferPanel({ side, offer, configuration, busy, ...actions }: OfferPanelProps) {
  const title = `${side}-title`;
  return (
    <Card as="section" pad={false} aria-labelledby={title} className={`offer offer-${side}`}>
      <h2 id={title}>{SIDE_LABELS[side]}</h2>
      <ol>
        {offer.slots.map((slot, index) => {
          const place = { side, index };
          return (
            <li key={slotId(place)} id={slotId(place)}>
              {slot === null ? (
                <EmptySlot place={place} busy={isSame(place, busy)} onOpen={actions.onOpen} />
              ) : "item" in slot ? (
                <FilledSlot {...slot} place={place} configuration={configuration} {...actions} />
              ) : (
                <UnknownSlot name={slot.unknown} place={place} onRemove={actions.onRemove} />
              )}
            </li>
          );
        })}
      </ol>
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
    </Card>
  );
}

function isSame(place: SlotPlace, other: SlotPlace | null): boolean {
  return place.side === other?.side && place.index === other.index;
}

type UnknownSlotProps = { name: string; place: SlotPlace; onRemove: (place: SlotPlace) => void };

/** A slot that a link fills with what the catalogue does not have, or has no longer: named, so that it is not overlooked. */
function UnknownSlot({ name, place, onRemove }: UnknownSlotProps) {
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
