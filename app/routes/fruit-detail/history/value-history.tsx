import { lazy, Suspense, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { FinishedHtml } from "./finished-html.tsx";
import type { HistoryMarkup } from "./render-history.tsx";
import type { ValueSeries } from "./value-series.ts";

/** The large chart is many times this page's own code: it comes when somebody asks for it. */
const LargeChart = lazy(() => import("./large-chart.tsx").then((module) => ({ default: module.LargeChart })));

type ValueHistoryProps = { name: string; history: ValueSeries; markup: HistoryMarkup | null };

/** The history of an item's values in both modes: a drawing, on demand a chart to explore, and all readings. */
export function ValueHistory({ name, history, markup }: ValueHistoryProps) {
  const [exploring, setExploring] = useState(false);
  return (
    <Card as="section" aria-labelledby="value-history">
      <CardTitle id="value-history">Value History</CardTitle>
      {markup ? (
        <>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <FinishedHtml html={markup.legend} />
            <Button size="sm" onClick={() => setExploring(!exploring)} className="noscript:hidden">
              {exploring ? "Simple chart" : "Explore chart"}
            </Button>
          </div>
          <Suspense fallback={<FinishedHtml html={markup.chart} />}>
            {exploring ? <LargeChart name={name} history={history} /> : <FinishedHtml html={markup.chart} />}
          </Suspense>
          <p className="mt-2 text-2xs text-muted">
            {markup.logarithmic && "The scale is logarithmic: the same step up is always the same multiple. "}
            Nothing is drawn where no reading is known for two months. Days are of UTC.
          </p>
          <details className="disclosure mt-2">
            <summary>All readings</summary>
            <FinishedHtml html={markup.table} />
          </details>
        </>
      ) : (
        <p className="text-muted">No value of this item has been recorded yet.</p>
      )}
    </Card>
  );
}
