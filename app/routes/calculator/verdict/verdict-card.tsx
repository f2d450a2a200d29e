import type { ReactNode } from "react";
import { Link } from "react-router";
import { balanceOf, describeJudgment } from "#app/features/trades/judgment-text.ts";
import type { Offer } from "#app/features/trades/offer.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { judgeTrade, mayBeFair } from "#domain/trades/verdict.ts";
import { Balance } from "./balance.tsx";
import { OfferDemand, OfferValue } from "./offer-figures.tsx";

type VerdictCardProps = {
  yours: Offer;
  theirs: Offer;
  configuration: PageConfiguration;
  siteName: string;
  /** Which values changed while the page was open. */
  changes: string;
  /** The parts for saving, apart from its button. */
  saving: ReactNode;
  /** The actions on the trade: Reset Calculator and others beside it. */
  children: ReactNode;
};

/**
 * The verdict and both offers (2.calc.15, .16, .19). On small screens the verdict and the actions are a strip at the
 * bottom of the window, and the rest is below the panels.
 */
export function VerdictCard({ yours, theirs, configuration, ...props }: VerdictCardProps) {
  const judgment = judgeTrade(yours.sum, theirs.sum);
  const { title, detail, tone } = describeJudgment(judgment, [...yours.unknown, ...theirs.unknown]);
  const lean = balanceOf(judgment, yours.sum.total, theirs.sum.total);
  const hasDemand = isVisible(configuration, "demand");
  return (
    <section aria-labelledby="verdict-title" className="verdict">
      <h2 id="verdict-title" className="sr-only">
        Verdict
      </h2>
      <div ref={publishHeight} data-sticking="" className="verdict-head">
        <div role="status">
          <p className={`verdict-title verdict-${tone}`}>{title}</p>
          <p className="verdict-detail">
            {detail}
            {mayBeFair(judgment, yours.range, theirs.range) && ". Fair within what we know."}
            {judgment.kind === "judged" && <b>{yours.unsettled ?? theirs.unsettled}</b>}
          </p>
        </div>
        {props.children}
      </div>
      <div className="verdict-body">
        <Balance
          lean={lean}
          yours={yours.filled}
          theirs={theirs.filled}
          hasPictures={isVisible(configuration, "image")}
        />
        <dl className="verdict-offers">
          <OfferSummary label="Your Offer" offer={yours} hasDemand={hasDemand} />
          <OfferSummary label="Their Offer" offer={theirs} hasDemand={hasDemand} />
        </dl>
        {props.saving}
        <p className="verdict-foot">
          <Link to="/method">Weighed by {props.siteName}</Link>
        </p>
        {/* At the very bottom, where its appearance shifts nothing. */}
        <p role="status" className="verdict-foot">
          {props.changes}
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

/**
 * Sets the height of the bottom strip for the page's styles, so that the page ends above it; until hydration they
 * assume its usual height. A ref for the strip.
 */
function publishHeight(strip: HTMLElement | null) {
  const root = document.documentElement.style;
  const watcher = new ResizeObserver(() => root.setProperty("--strip-height", `${strip?.offsetHeight}px`));
  if (strip) watcher.observe(strip);
  return () => {
    watcher.disconnect();
    root.removeProperty("--strip-height");
  };
}
