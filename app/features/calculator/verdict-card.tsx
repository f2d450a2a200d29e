import type { ReactNode } from "react";
import { isVisible, type PageConfiguration } from "#domain/field-visibility.ts";
import { judgeTrade } from "#domain/verdict.ts";
import { Balance } from "./balance.tsx";
import { describeJudgement, type JudgementTone, leanOf } from "./judgement-text.ts";
import type { Offer } from "./offer.ts";
import { OfferDemand, OfferValue } from "./offer-figures.tsx";

const TONES: Record<JudgementTone, string> = {
  gain: "text-rise",
  loss: "text-fall",
  even: "text-medium",
  none: "text-ink",
};

type VerdictCardProps = {
  yours: Offer;
  theirs: Offer;
  configuration: PageConfiguration;
  siteName: string;
  /** What can be done with the trade: Reset Calculator, and whatever else stands beside it. */
  children: ReactNode;
};

/**
 * The verdict and both offers (2.calc.15, .16, .19). On small screens its head stays at the foot of the window while
 * slots are filled above it.
 */
export function VerdictCard({ yours, theirs, configuration, siteName, children }: VerdictCardProps) {
  const judgement = judgeTrade(yours.sum, theirs.sum);
  const { title, detail, tone } = describeJudgement(judgement);
  const lean = leanOf(judgement, yours.sum.total, theirs.sum.total);
  const hasDemand = isVisible(configuration, "demand");
  return (
    <section aria-labelledby="verdict-title" className="verdict">
      <h2 id="verdict-title" className="sr-only">
        Verdict
      </h2>
      <div className="verdict-head">
        <div role="status" className="text-center">
          <p className={`font-display text-2xl leading-tight font-bold lg:text-3xl ${TONES[tone]}`}>
            {title}
          </p>
          <p className="text-sm font-semibold lg:mt-1 lg:text-base">{detail}</p>
        </div>
        <dl className="mt-1.5 grid grid-cols-2 gap-3 lg:mt-5">
          <OfferSummary label="Your Offer" offer={yours} hasDemand={hasDemand} />
          <OfferSummary label="Their Offer" offer={theirs} hasDemand={hasDemand} />
        </dl>
      </div>
      <div className="verdict-body">
        <Balance lean={lean} yours={yours.sum.filled} theirs={theirs.sum.filled} />
        {children}
        <p className="text-center text-sm text-muted">Weighed by {siteName}</p>
      </div>
    </section>
  );
}

function OfferSummary({ label, offer, hasDemand }: { label: string; offer: Offer; hasDemand: boolean }) {
  return (
    <div className="flex flex-wrap items-baseline justify-center gap-x-1.5 text-center lg:flex-col lg:items-center lg:justify-start lg:gap-y-1">
      <dt className="text-sm text-muted">{label}</dt>
      <dd>
        <OfferValue offer={offer} className="text-lg lg:text-2xl" />
      </dd>
      {hasDemand && (
        <dd className="basis-full text-sm lg:basis-auto">
          <span className="text-muted">Demand </span>
          <OfferDemand offer={offer} wordClass="max-sm:hidden" />
        </dd>
      )}
    </div>
  );
}
