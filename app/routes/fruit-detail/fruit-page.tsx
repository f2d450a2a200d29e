import { useDeferredValue, useState } from "react";
import { useLocation } from "react-router";
import { AdSlot } from "#app/features/ads/ad-slot.tsx";
import { ChangeText, NotEnoughData, TrendMark } from "#app/features/items/change-text.tsx";
import { EvidenceLink } from "#app/features/items/evidence-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { isVisible } from "#domain/fields/field-visibility.ts";
import { modeOfQuery, modeQuery, type ViewMode } from "#domain/values/view-mode.ts";
import { FruitHeader } from "./fruit-header.tsx";
import { ItemDetails, MarketInsights } from "./fruit-sidebar.tsx";
import { ValueHistory } from "./history/value-history.tsx";
import { ItemDay } from "./item-day.tsx";
import type { FoundFruit } from "./load-fruit.ts";
import { RelatedItems } from "./related-items.tsx";
import type { ShownDemand } from "./shown-demands.ts";
import type { ShownMode } from "./shown-mode.ts";

/** An item's page. What is derived from a hidden figure is hidden with it. */
export function FruitPage({
  fruit,
  history,
  table,
  demands,
  related,
  configuration,
  ads,
  readAt,
}: FoundFruit & { readAt: number }) {
  const [chosen, setMode] = useShownMode();
  // The header responds to the press at once, the content below follows when idle.
  const mode = useDeferredValue(chosen);
  const shown = fruit.modes[mode];
  const showsValue = isVisible(configuration, "current_value");
  const showsChange = isVisible(configuration, "value_change");
  const ad = (placement: keyof typeof ads) => <AdSlot placement={placement} state={ads[placement]} />;
  return (
    <div className="fruit-columns">
      <div className="grid grid-cols-1 content-start gap-6">
        <FruitHeader {...{ fruit, configuration, readAt }} mode={chosen} onMode={setMode} />
        {ad("detail_header")}
        {showsChange && <ValueAnalysis change={shown.change} asOf={shown.checked} />}
        {showsValue && <ValueHistory {...{ mode, history, table, showsChange, readAt }} />}
        {isVisible(configuration, "demand") && <DemandHistory demands={demands} />}
        {ad("detail_content")}
        {showsValue && <TradeReference guide={shown.guide} mode={mode} asOf={shown.checked} />}
      </div>
      <div className="fruit-side">
        <QuickActions calculator={shown.calculator} />
        <ItemDetails fruit={fruit} configuration={configuration} readAt={readAt} />
        <MarketInsights insights={shown.insights} />
        {ad("detail_sidebar")}
      </div>
      <RelatedItems
        {...{ mode, configuration, readAt }}
        items={related}
        category={isVisible(configuration, "category") ? (fruit.category?.name ?? null) : null}
      />
    </div>
  );
}

/** The day that figures are of: what the value did since is unknown. */
function AsOf({ day }: { day: string }) {
  return (
    <p className="mt-3 text-sm text-muted">
      As of the last check, <ItemDay date={day} />.
    </p>
  );
}

/** A fair price, what to offer and what to ask, by the value of the current mode. */
function TradeReference({ guide, mode, asOf }: Pick<ShownMode, "guide"> & { mode: ViewMode; asOf: string }) {
  return (
    <Card as="section" aria-labelledby="trade-reference">
      <CardTitle id="trade-reference">Trade Reference Guide</CardTitle>
      {guide ? (
        <>
          <dl className="grid gap-3">
            <Stat label="Fair Trade Range">{guide.fair}</Stat>
            <Stat label="Recommended Offer (Buying)">{guide.offer}</Stat>
            <Stat label="Recommended Ask (Selling)">{guide.ask}</Stat>
          </dl>
          <AsOf day={asOf} />
        </>
      ) : (
        <p className="text-muted">There is no {mode} value yet to work from.</p>
      )}
    </Card>
  );
}

/** How the value changed from the previous one, in the current mode. */
function ValueAnalysis({ change, asOf }: Pick<ShownMode, "change"> & { asOf: string }) {
  return (
    <Card as="section" aria-labelledby="value-analysis">
      <CardTitle id="value-analysis">Value Change Analysis</CardTitle>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-6">
        <Stat size="big" label="Change">
          {change ? <ChangeText trend={change.trend} text={change.amount} /> : <NotEnoughData />}
        </Stat>
        <Stat size="big" label="Percentage">
          {change ? change.percentage : <NotEnoughData />}
        </Stat>
        <Stat size="big" label="Trend">
          {change ? (
            <>
              <TrendMark trend={change.trend} /> {change.trend}
            </>
          ) : (
            <NotEnoughData />
          )}
        </Stat>
      </dl>
      {change && <AsOf day={asOf} />}
    </Card>
  );
}

/** When demand and status changed, and why; renders nothing if they never did. */
function DemandHistory({ demands }: { demands: readonly ShownDemand[] }) {
  if (demands.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="demand-history">
      <CardTitle id="demand-history">Demand History</CardTitle>
      <ol className="steps">
        {demands.map(({ id, day, text, why, by, evidence, picture }) => (
          <li key={id}>
            <p className="figures">{day}</p>
            <p className="step-move">{text}</p>
            <p className="step-why">{why}</p>
            {(by || evidence || picture) && (
              <p className="step-source">
                {by && `${by}. `}
                <EvidenceLink href={evidence} picture={picture} item={text} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** The actions on the item. On a phone the first two stick above the bottom bar. */
function QuickActions({ calculator }: Pick<ShownMode, "calculator">) {
  return (
    <Card as="section" aria-labelledby="quick-actions" className="fruit-quick">
      <CardTitle id="quick-actions">Quick Actions</CardTitle>
      <div data-sticking="" className="fruit-actions">
        <LinkButton variant="primary" to={calculator}>
          Use in Calculator
        </LinkButton>
        <Button onClick={share} className="noscript:hidden">
          Share
        </Button>
      </div>
      <LinkButton to="/values" className="fruit-browse">
        Browse All Values
      </LinkButton>
    </Card>
  );
}

async function share() {
  const { sharePage } = await import("#app/features/sharing/share-page.ts");
  await sharePage("Anyone with the link can see this item's value.");
}

/**
 * The page's mode. It is in the address, so that a list's choice carries over and a shared link keeps it. The address
 * is changed without the router: the page has both modes, and nothing needs to be loaded.
 */
function useShownMode(): [ViewMode, (mode: ViewMode) => void] {
  const [mode, setMode] = useState(modeOfQuery(useLocation().search));
  return [
    mode,
    (next) => {
      setMode(next);
      window.history.replaceState(window.history.state, "", window.location.pathname + modeQuery(next));
    },
  ];
}
