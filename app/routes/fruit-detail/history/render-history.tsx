import { renderToStaticMarkup } from "react-dom/server";
import { describeHistory, latestSteps } from "./describe-history.ts";
import { drawHistory } from "./draw-history.ts";
import { HistoryChart, HistoryLegend } from "./history-chart.tsx";
import { HistoryTable } from "./history-table.tsx";
import { RecentChanges } from "./recent-changes.tsx";
import type { ValueSeries } from "./value-series.ts";

/** The parts of a page on a value's history that never change in the browser, as finished HTML. */
export type HistoryMarkup = {
  legend: string;
  chart: string;
  table: string;
  /** Null when the value never changed. */
  changes: string | null;
  logarithmic: boolean;
};

/** How many of the latest changes are listed. */
const CHANGES = 6;

/**
 * Draws a history once, on the server: neither the drawing's code nor its elements need to come alive in the browser.
 * Null when no value of the item is known.
 */
export function renderHistory(name: string, history: ValueSeries): HistoryMarkup | null {
  const drawing = drawHistory(history);
  if (!drawing) return null;
  const steps = latestSteps(history, CHANGES);
  const description = describeHistory(name, history);
  return {
    legend: renderToStaticMarkup(<HistoryLegend modes={drawing.series.map(({ mode }) => mode)} />),
    chart: renderToStaticMarkup(<HistoryChart drawing={drawing} description={description} />),
    table: renderToStaticMarkup(<HistoryTable name={name} history={history} />),
    changes: steps.length > 0 ? renderToStaticMarkup(<RecentChanges steps={steps} />) : null,
    logarithmic: drawing.logarithmic,
  };
}
