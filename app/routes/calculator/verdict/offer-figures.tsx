import type { Offer } from "#app/features/trades/offer.ts";
import { demandWord, formatDemandScore } from "#domain/items/demand.ts";
import { formatNumber } from "#domain/values/value-text.ts";

/** The total of a side, and the number of unpriced items (P9). */
export function OfferValue({ offer }: { offer: Offer }) {
  const { total, unpriced } = offer.sum;
  return (
    <span className="offer-figure figures">
      <b translate="no">{formatNumber(total)}</b>
      {unpriced > 0 && <span className="offer-unpriced"> + {unpriced} unpriced</span>}
    </span>
  );
}

/** The mean demand out of ten, and its word: 4/10 is the maximum and must not read as low (P8). */
export function OfferDemand({ offer }: { offer: Offer }) {
  const word = demandWord(offer.demand);
  return (
    <span className="offer-figure figures">
      <b>{formatDemandScore(offer.demand)}</b>
      {word && <span> {word}</span>}
    </span>
  );
}
