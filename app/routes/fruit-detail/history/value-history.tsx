import { memo, useId, useState } from "react";
import { ChangeText } from "#app/features/items/change-text.tsx";
import { EvidenceLink } from "#app/features/items/evidence-link.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { useNow } from "#app/features/items/use-now.ts";
import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { formatMonthDay } from "#domain/text/dates.ts";
import { VIEW_MODE_LABELS, type ViewMode } from "#domain/values/view-mode.ts";
import { HistoryChart, HistoryLegend } from "./history-chart.tsx";
import { HistoryMarks } from "./history-marks.tsx";
import type { HistoryStep } from "./history-steps.ts";
import type { Range, ShownHistory, SubjectCharts } from "./shown-history.ts";

type ValueHistoryProps = {
  mode: ViewMode;
  /** Null if it could not be read. */
  history: ShownHistory | null;
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
  const chart = history?.charts[subject];
  return (
    <Card as="section" aria-labelledby="value-history" className="history">
      <CardTitle id="value-history">Value History</CardTitle>
      {history && chart ? (
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
        <p className="text-muted">
          {history
            ? `No ${mode} value of this item has been recorded yet.`
            : "The value history can’t be loaded right now."}
        </p>
      )}
    </Card>
  );
});

type ChartProps = Pick<ValueHistoryProps, "showsChange" | "readAt"> & {
  history: ShownHistory;
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
      <p className="mt-1 text-[0.8125rem] text-muted">
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

/** HTML that our own server rendered from escaped data; not hydrated. */
function FinishedHtml({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: renderToStaticMarkup wrote it, nothing in it is anybody's markup
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}

/** How many changes are visible below a chart; older ones expand on demand. */
const OPEN = 4;

/** A value's changes, newest first, each with its reason and source. */
function StepList({ steps }: { steps: readonly HistoryStep[] }) {
  const older = steps.slice(OPEN);
  return (
    <>
      <Steps steps={steps.slice(0, OPEN)} hasTargets />
      {older.length > 0 && (
        <details className="disclosure">
          <summary>{older.length === 1 ? "1 older change" : `${older.length} older changes`}</summary>
          <Steps steps={older} hasTargets />
        </details>
      )}
    </>
  );
}

/** `hasTargets`: includes the anchors to which the chart's marks link without scripts; only once per page. */
function Steps({ steps, hasTargets = false }: { steps: readonly HistoryStep[]; hasTargets?: boolean }) {
  return (
    <ol className="steps">
      {steps.map((step) => (
        <li key={step.id} id={hasTargets ? `change-${step.id}` : undefined}>
          <p className="figures">
            <time dateTime={new Date(step.time).toISOString()}>{step.date}</time>{" "}
            <span className="step-mode">{VIEW_MODE_LABELS[step.mode]}</span>
          </p>
          <p className="figures step-move">
            {step.from === null ? (
              "First known value: "
            ) : (
              <>
                <FigureText text={step.from} /> <span aria-hidden="true">→</span>
                <span className="sr-only">to</span>{" "}
              </>
            )}
            <strong>
              <FigureText text={step.to} />
            </strong>{" "}
            {step.change && <ChangeText {...step.change} />}
          </p>
          <p className="step-why">{step.why}</p>
          <p className="step-source">
            Source: {step.source}.{" "}
            <EvidenceLink href={step.evidence} picture={step.picture} item={`${step.to} on ${step.date}`} />
          </p>
        </li>
      ))}
    </ol>
  );
}
