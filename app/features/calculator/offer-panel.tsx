import { Card } from "#app/ui/card.tsx";
import { isVisible, type PageConfiguration } from "#domain/field-visibility.ts";
import type { ViewMode } from "#domain/view-mode.ts";
import { EmptySlot } from "./empty-slot.tsx";
import { FilledSlot } from "./filled-slot.tsx";
import type { Offer } from "./offer.ts";
import { OfferDemand, OfferValue } from "./offer-figures.tsx";
import { SIDE_LABELS, slotId } from "./slot-element.ts";
import type { Side, SlotPlace } from "./trade-moves.ts";

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
  className?: string;
};

/** One side of the trade: nine slots, three in a row at every width, and their sums (2.calc.01, .02, .13, .14). */
export function OfferPanel({
  side,
  offer,
  configuration,
  busy,
  className = "",
  ...actions
}: OfferPanelProps) {
  const title = `${side}-title`;
  return (
    <Card
      as="section"
      pad={false}
      aria-labelledby={title}
      className={`flex flex-col p-2 sm:p-4 ${className}`}
    >
      <h2 id={title} className="px-1 text-2xl">
        {SIDE_LABELS[side]}
      </h2>
      <ol className="mt-2 grid flex-1 grid-cols-3 gap-1.5 sm:gap-2 lg:auto-rows-[minmax(12.5rem,auto)]">
        {offer.slots.map((slot, index) => {
          const place = { side, index };
          return (
            <li key={slotId(place)} id={slotId(place)} className="min-w-0">
              {slot ? (
                <FilledSlot {...slot} place={place} configuration={configuration} {...actions} />
              ) : (
                <EmptySlot place={place} busy={isSame(place, busy)} onOpen={actions.onOpen} />
              )}
            </li>
          );
        })}
      </ol>
      <dl className="mt-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-2 border-t-4 border-double border-line px-1 pt-3">
        <div>
          <dt className="text-sm font-semibold text-muted">VALUE</dt>
          <dd>
            <OfferValue offer={offer} className="text-2xl" />
          </dd>
        </div>
        {isVisible(configuration, "demand") && (
          <div className="text-end">
            <dt className="text-sm font-semibold text-muted">DEMAND</dt>
            <dd>
              <OfferDemand offer={offer} className="text-2xl" />
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
