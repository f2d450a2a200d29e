import { memo, useId, useState } from "react";
import { useNow } from "#app/features/items/use-now.ts";
import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { formatMonthDay } from "#domain/text/dates.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { FinishedHtml } from "./finished-html.tsx";
import { HistoryChart, HistoryLegend } from "./history-chart.tsx";
import { HistoryMarks } from "./history-marks.tsx";
import type { Range, ShownHistory, SubjectCharts } from "./shown-history.ts";
import { StepList, Steps } from "./step-list.tsx";

type ValueHistoryProps = {
  mode: ViewMode;
  history: ShownHistory;
  /** All readings as a table. */
  table: string;
  /** Whether changes may be shown. */
  showsChange: boolean;
  readAt: number;
};

/** The history of an item's value in the current mode, both modes on demand: as a chart, and change by change. */
export const ValueHistory = memo(function ValueHistory({
  mode,
  history,
  table,
  showsChange,
  readAt,
}: ValueHistoryProps) {
  const [both, setBoth] = useState(false);
  const subject = both ? "both" : mode;
  const chart = history.charts[subject];
  return (
    <Card as="section" aria-labelledby="value-history" className="history">
      <CardTitle id="value-history">Value History</CardTitle>
      {chart ? (
        <>
          <Chart {...{ history, chart, showsChange, readAt }}>
            {history.charts.both && (
              <Button size="sm" onClick={() => setBoth(!both)} className="noscript:hidden">
                {both ? `Show ${mode} only` : "Show both modes"}
              </Button>
            )}
          </Chart>
          {showsChange && (
            <>
              <h3>Changes and why</h3>
              <StepList steps={history.steps.filter((step) => both || step.mode === mode)} />
            </>
          )}
          <details className="disclosure">
            <summary>All readings</summary>
            <FinishedHtml html={table} />
          </details>
        </>
      ) : (
        <p className="text-muted">No {mode} value of this item has been recorded yet.</p>
      )}
    </Card>
  );
});

type ChartProps = Pick<ValueHistoryProps, "history" | "showsChange" | "readAt"> & {
  chart: SubjectCharts;
  children: React.ReactNode;
};

function Chart({ history, chart, showsChange, readAt, children }: ChartProps) {
  const [range, setRange] = useState<Range>(history.ranges.includes("1 year") ? "1 year" : "All");
  const [open, setOpen] = useState<number | null>(null);
  const panelId = useId();
  const drawing = chart.drawings[range] ?? chart.drawings.All;
  const now = useNow(readAt);
  if (!drawing) return null;
  const mark = drawing.marks.find(({ steps }) => steps[0] === open);
  // The page may have been cached since the day it was rendered.
  const isToday = formatMonthDay(now) === formatMonthDay(readAt);
  return (
    <>
      <div className="chart-choices">
        {history.ranges.length > 1 && (
          <SegmentedControl
            label="Range"
            options={history.ranges.map((value) => ({ value, label: value }))}
            value={range}
            onChange={(next) => {
              setRange(next);
              setOpen(null);
            }}
            className="noscript:hidden"
          />
        )}
        {children}
      </div>
      {drawing.series.length > 1 && <HistoryLegend modes={drawing.series.map((each) => each.mode)} />}
      <HistoryChart
        drawing={drawing}
        description={chart.description}
        lastDay={isToday ? "Today" : formatMonthDay(readAt)}
      >
        {showsChange && <HistoryMarks marks={drawing.marks} open={open} onOpen={setOpen} panelId={panelId} />}
      </HistoryChart>
      <p className="chart-words">
        {drawing.words}
        {drawing.updates.map(({ text, date }) => ` ${text} came out on ${date}.`)}
      </p>
      {showsChange && drawing.marks.length > 0 && (
        <div id={panelId} role="status" className="chart-panel noscript:hidden">
          {mark ? (
            <Steps steps={history.steps.filter(({ id }) => mark.steps.includes(id))} />
          ) : (
            <p>Press a mark to read why the value changed.</p>
          )}
        </div>
      )}
    </>
  );
}
