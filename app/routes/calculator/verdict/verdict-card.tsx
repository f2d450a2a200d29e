import type { ReactNode } from "react";
import { describeJudgment, leanOf } from "#app/features/trades/judgment-text.ts";
import type { Offer } from "#app/features/trades/offer.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { judgeTrade } from "#domain/trades/verdict.ts";
import { Balance } from "./balance.tsx";
import { OfferDemand, OfferValue } from "./offer-figures.tsx";

type VerdictCardProps = {
  yours: Offer;
  theirs: Offer;
  configuration: PageConfiguration;
  siteName: string;
  /** Which values changed while the page stood open. */
  changes: string;
  /** What can be done with the trade: Reset Calculator, and whatever else stands beside it. */
  children: ReactNode;
};

/**
 * The verdict and both offers (2.calc.15, .16, .19). On small screens its head stays at the foot of the window while
 * slots are filled above it.
 */
export function VerdictCard({ yours, theirs, configuration, siteName, changes, children }: VerdictCardProps) {
  const judgment = judgeTrade(yours.sum, theirs.sum);
  const { title, detail, tone } = describeJudgment(judgment, [...yours.unknown, ...theirs.unknown]);
  const lean = leanOf(judgment, yours.sum.total, theirs.sum.total);
  const hasDemand = isVisible(configuration, "demand");
  const hasValue = isVisible(configuration, "current_value");
  return (
    <section aria-labelledby="verdict-title" className="verdict">
      <h2 id="verdict-title" className="sr-only">
        Verdict
      </h2>
      <div className="verdict-head">
        <div role="status">
          <p className={`verdict-title verdict-${tone}`}>{title}</p>
          <p className="verdict-detail">{detail}</p>
        </div>
        <dl>
          <OfferSummary label="Your Offer" offer={yours} hasDemand={hasDemand} />
          <OfferSummary label="Their Offer" offer={theirs} hasDemand={hasDemand} />
        </dl>
      </div>
      <div className="verdict-body">
        <Balance lean={lean} yours={yours.sum.filled} theirs={theirs.sum.filled} />
        {children}
        <p className="verdict-foot">Weighed by {siteName}</p>
        {/* At the very foot, where nothing moves when it comes. */}
        <p role="status" className="verdict-foot">
          {hasValue && changes}
        </p>
      </div>
    </section>
  );
}

function OfferSummary({ label, offer, hasDemand }: { label: string; offer: Offer; hasDemand: boolean }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <OfferValue offer={offer} />
      </dd>
      {hasDemand && (
        <dd className="verdict-demand">
          Demand <OfferDemand offer={offer} />
        </dd>
      )}
    </div>
  );
}
