import { type RefObject, useEffect, useRef, useState } from "react";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { formatDate } from "#domain/text/dates.ts";
import { VIEW_MODE_LABELS, VIEW_MODES } from "#domain/values/view-mode.ts";
import { formatStep } from "./describe-history.ts";
import { type ChartHandle, mountChart, type PointedAt, RANGES, type Range } from "./mount-chart.ts";
import type { ValueSeries } from "./value-series.ts";

type LargeChartProps = { name: string; history: ValueSeries };

const OPTIONS = (Object.keys(RANGES) as Range[]).map((value) => ({ value, label: value }));

/** The history to explore: a crosshair with date and values, dragging and zooming, and ranges to jump to. */
export function LargeChart({ name, history }: LargeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<PointedAt | null>(null);
  const chart = useChart(box, history, setPointed);
  const [range, setRange] = useState<Range>("All");
  const show = (next: Range) => {
    setRange(next);
    chart.current?.show(next);
  };
  return (
    <section aria-label={`Interactive value history of ${name}`} className="grid gap-2">
      <SegmentedControl
        label="Range"
        options={OPTIONS}
        value={range}
        onChange={show}
        className="justify-self-start"
      />
      <PointedLine pointed={pointed} />
      <div ref={box} className="h-80 w-full" aria-hidden="true" data-chart="" />
      <p className="text-2xs text-muted">
        Charts by{" "}
        <a className="link" href="https://www.tradingview.com/" rel="noopener">
          TradingView
        </a>
        , Lightweight Charts™. Drag to move, pinch to zoom.
      </p>
    </section>
  );
}

/** Date and values under the crosshair. */
function PointedLine({ pointed }: { pointed: PointedAt | null }) {
  const shown = VIEW_MODES.filter((mode) => pointed && mode in pointed.values);
  return (
    <p className="figures min-h-6 text-sm">
      {pointed ? (
        <>
          <strong>{formatDate(pointed.time)}</strong>
          {shown.map((mode) => (
            <span key={mode} className="ml-4">
              {VIEW_MODE_LABELS[mode]} <strong>{formatStep(pointed.values[mode] ?? null)}</strong>
            </span>
          ))}
          {shown.length === 0 && <span className="ml-4 text-muted">No reading of this day.</span>}
        </>
      ) : (
        <span className="text-muted">Point at the chart to read a day.</span>
      )}
    </p>
  );
}

/** The chart in its box, for as long as the box is there; drawn anew when the theme changes. */
function useChart(
  box: RefObject<HTMLDivElement | null>,
  history: ValueSeries,
  onPoint: (at: PointedAt | null) => void,
) {
  const chart = useRef<ChartHandle | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const draw = () => {
      chart.current?.remove();
      chart.current = mountChart(element, history, onPoint);
    };
    draw();
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    const theme = new MutationObserver(draw);
    scheme.addEventListener("change", draw);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      scheme.removeEventListener("change", draw);
      theme.disconnect();
      chart.current?.remove();
      chart.current = null;
    };
  }, [box, history, onPoint]);
  return chart;
}
