import { lazy, Suspense, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { Disclosure } from "#app/ui/disclosure.tsx";
import { describeHistory } from "./describe-history.ts";
import { HistoryChart, HistoryLegend } from "./history-chart.tsx";
import type { HistoryDrawing } from "./history-drawing.ts";
import { HistoryTable } from "./history-table.tsx";
import type { ValueSeries } from "./value-series.ts";

/** The large chart is fifty times this page's own code: it comes when somebody asks for it. */
const LargeChart = lazy(() => import("./large-chart.tsx").then((module) => ({ default: module.LargeChart })));

type ValueHistoryProps = { name: string; history: ValueSeries; drawing: HistoryDrawing | null };

/** The history of an item's values in both modes: a drawing, on demand a chart to explore, and all readings. */
export function ValueHistory({ name, history, drawing }: ValueHistoryProps) {
  const [exploring, setExploring] = useState(false);
  if (!drawing) return <NoHistory />;
  const still = <HistoryChart drawing={drawing} description={describeHistory(name, history)} />;
  return (
    <Card as="section" aria-labelledby="value-history">
      <CardTitle id="value-history">Value History</CardTitle>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <HistoryLegend modes={drawing.series.map(({ mode }) => mode)} />
        <Button size="sm" onClick={() => setExploring(!exploring)} className="noscript:hidden">
          {exploring ? "Simple chart" : "Explore chart"}
        </Button>
      </div>
      {exploring ? (
        <Suspense fallback={still}>
          <LargeChart name={name} history={history} />
        </Suspense>
      ) : (
        still
      )}
      <p className="mt-2 text-2xs text-muted">
        {drawing.logarithmic && "The scale is logarithmic: each step up is ten times as much. "}
        Nothing is drawn where no reading is known for two months.
      </p>
      <div className="mt-2">
        <Disclosure question="All readings">
          <HistoryTable name={name} history={history} />
        </Disclosure>
      </div>
    </Card>
  );
}

function NoHistory() {
  return (
    <Card as="section" aria-labelledby="value-history">
      <CardTitle id="value-history">Value History</CardTitle>
      <p className="text-muted">No value of this item has been recorded yet.</p>
    </Card>
  );
}
