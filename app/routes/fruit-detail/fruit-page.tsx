import { useState } from "react";
import { AdSlot } from "#app/features/ads/ad-slot.tsx";
import type { Placement } from "#app/features/ads/placement.ts";
import { ValueHistory } from "#app/features/items/history/value-history.tsx";
import { isVisible } from "#domain/field-visibility.ts";
import { valueChange } from "#domain/value-change.ts";
import { figuresOf, type ViewMode } from "#domain/view-mode.ts";
import { FruitHeader } from "./fruit-header.tsx";
import { ItemDetails, MarketInsights, QuickActions } from "./fruit-sidebar.tsx";
import type { FoundFruit } from "./load-fruit.ts";
import { RecentChanges } from "./recent-changes.tsx";
import { RelatedItems } from "./related-items.tsx";
import { TradeReference } from "./trade-reference.tsx";
import { ValueAnalysis } from "./value-analysis.tsx";

/** The found item. What follows from a hidden figure is hidden with it. */
export function FruitPage({ fruit, history, drawing, related, configuration, ads, renderedAt }: FoundFruit) {
  const [mode, setMode] = useState<ViewMode>("regular");
  const figures = figuresOf(fruit, mode);
  const change = valueChange(figures.value.number, figures.previous.number);
  const showsValue = isVisible(configuration, "current_value");
  const showsChange = isVisible(configuration, "value_change");
  const ad = (placement: Placement) => (
    <AdSlot placement={placement} filled={ads.includes(placement as never)} />
  );
  return (
    <>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-1 content-start gap-6">
          <FruitHeader {...{ fruit, figures, mode, configuration }} onMode={setMode} />
          {ad("detail_header")}
          {showsChange && <ValueAnalysis change={change} />}
          {showsValue && <ValueHistory name={fruit.name} history={history} drawing={drawing} />}
          {ad("detail_content")}
          {showsValue && <TradeReference value={figures.value.number} mode={mode} />}
        </div>
        <div className="grid grid-cols-1 content-start gap-6">
          <QuickActions slug={fruit.slug} mode={mode} />
          <ItemDetails fruit={fruit} configuration={configuration} renderedAt={renderedAt} />
          <MarketInsights fruit={fruit} trend={change?.trend ?? null} configuration={configuration} />
          {ad("detail_sidebar")}
          {showsChange && showsValue && <RecentChanges history={history} />}
        </div>
      </div>
      <RelatedItems
        items={related}
        category={isVisible(configuration, "category") ? (fruit.category?.name ?? null) : null}
      />
    </>
  );
}
