import { demandWord, formatDemandScore } from "#domain/demand.ts";
import { formatNumber } from "#domain/value-text.ts";
import type { Offer } from "./offer.ts";

type OfferFigureProps = { offer: Offer; className?: string };
type OfferDemandProps = OfferFigureProps & { wordClass?: string };

/** The sum of a side, and how many of its items it could not count (decision 9). */
export function OfferValue({ offer, className = "" }: OfferFigureProps) {
  const { total, unpriced } = offer.sum;
  return (
    <span className="figures">
      <span className={`font-bold ${className}`}>{formatNumber(total)}</span>
      {unpriced > 0 && <span className="text-sm font-semibold text-accent-text"> + {unpriced} unpriced</span>}
    </span>
  );
}

/** The mean demand out of ten, and its word: 4/10 is the most there is and must not read as low (decision 8). */
export function OfferDemand({ offer, className = "", wordClass = "" }: OfferDemandProps) {
  const word = demandWord(offer.demand);
  return (
    <span className="figures">
      <span className={`font-bold ${className}`}>{formatDemandScore(offer.demand)}</span>
      {word && <span className={`text-sm font-semibold text-muted ${wordClass}`}> {word}</span>}
    </span>
  );
}
