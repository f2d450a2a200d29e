import { useState } from "react";
import { AdSlot } from "#app/features/ads/ad-slot.tsx";
import type { Placement } from "#app/features/ads/placement.ts";
import { FinishedHtml } from "#app/routes/fruit-detail/history/finished-html.tsx";
import { ValueHistory } from "#app/routes/fruit-detail/history/value-history.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { isVisible } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { FruitHeader } from "./fruit-header.tsx";
import { ItemDetails, MarketInsights, QuickActions } from "./fruit-sidebar.tsx";
import type { FoundFruit } from "./load-fruit.ts";
import { RelatedItems } from "./related-items.tsx";
import { TradeReference } from "./trade-reference.tsx";
import { ValueAnalysis } from "./value-analysis.tsx";

/** The found item. What follows from a hidden figure is hidden with it. */
export function FruitPage({ fruit, history, markup, related, configuration, ads, renderedAt }: FoundFruit) {
  const [mode, setMode] = useState<ViewMode>("regular");
  const shown = fruit.modes[mode];
  const showsValue = isVisible(configuration, "current_value");
  const showsChange = isVisible(configuration, "value_change");
  const ad = (placement: Placement) => (
    <AdSlot placement={placement} filled={ads.some((each) => each === placement)} />
  );
  return (
    <>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-1 content-start gap-6">
          <FruitHeader fruit={fruit} mode={mode} onMode={setMode} configuration={configuration} />
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
