import { useState } from "react";
import { AdSlot } from "#app/features/ads/ad-slot.tsx";
import { ChangeText, NotEnoughData, TrendMark } from "#app/features/items/change-text.tsx";
import { FinishedHtml } from "#app/routes/fruit-detail/history/finished-html.tsx";
import { ValueHistory } from "#app/routes/fruit-detail/history/value-history.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { isVisible } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { FruitHeader } from "./fruit-header.tsx";
import { ItemDetails, MarketInsights, QuickActions } from "./fruit-sidebar.tsx";
import type { FoundFruit } from "./load-fruit.ts";
import { RelatedItems } from "./related-items.tsx";
import type { ShownMode } from "./shown-mode.ts";

/** The found item. What follows from a hidden figure is hidden with it. */
export function FruitPage({ fruit, history, markup, related, configuration, ads, renderedAt }: FoundFruit) {
  const [mode, setMode] = useState<ViewMode>("regular");
  const shown = fruit.modes[mode];
  const showsValue = isVisible(configuration, "current_value");
  const showsChange = isVisible(configuration, "value_change");
  const ad = (placement: keyof typeof ads) => <AdSlot placement={placement} state={ads[placement]} />;
  return (
    <>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-1 content-start gap-6">
          <FruitHeader
            {...{ fruit, mode, configuration, renderedAt }}
            onMode={setMode}
            changedAt={history[mode].at(-1)?.time}
          />
          {ad("detail_header")}
          {showsChange && <ValueAnalysis change={shown.change} />}
          {showsValue && <ValueHistory name={fruit.name} history={history} markup={markup} />}
          {ad("detail_content")}
          {showsValue && <TradeReference guide={shown.guide} mode={mode} />}
        </div>
        <div className="grid grid-cols-1 content-start gap-6">
          <QuickActions calculator={shown.calculator} />
          <ItemDetails fruit={fruit} configuration={configuration} renderedAt={renderedAt} />
          <MarketInsights insights={shown.insights} />
          {ad("detail_sidebar")}
          {showsChange && showsValue && markup?.changes && <RecentChangesCard html={markup.changes} />}
        </div>
      </div>
      <RelatedItems
        items={related}
        configuration={configuration}
        category={isVisible(configuration, "category") ? (fruit.category?.name ?? null) : null}
      />
    </>
  );
}

function RecentChangesCard({ html }: { html: string }) {
  return (
    <Card as="section" aria-labelledby="recent-changes">
      <CardTitle id="recent-changes">Recent Changes</CardTitle>
      <FinishedHtml html={html} />
    </Card>
  );
}

/** What is fair, what to offer and what to ask, by the value of the mode shown. */
function TradeReference({ guide, mode }: Pick<ShownMode, "guide"> & { mode: ViewMode }) {
  return (
    <Card as="section" aria-labelledby="trade-reference">
      <CardTitle id="trade-reference">Trade Reference Guide</CardTitle>
      {guide ? (
        <dl className="grid gap-3">
          <Stat label="Fair Trade Range">{guide.fair}</Stat>
          <Stat label="Recommended Offer (Buying)">{guide.offer}</Stat>
          <Stat label="Recommended Ask (Selling)">{guide.ask}</Stat>
        </dl>
      ) : (
        <p className="text-muted">There is no {mode} value yet to work from.</p>
      )}
    </Card>
  );
}

/** What the value did since the previous one, in the mode shown. */
function ValueAnalysis({ change }: Pick<ShownMode, "change">) {
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
    </Card>
  );
}
