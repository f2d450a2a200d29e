import { VIEW_MODE_LABELS, type ViewMode } from "#domain/values/view-mode.ts";
import { type DrawnSeries, FIELD, type HistoryDrawing } from "./history-drawing.ts";

/** Including the room for the time labels below. */
const HEIGHT = FIELD.height + 26;

type HistoryChartProps = {
  drawing: HistoryDrawing;
  description: string;
  /** The label of the last day on the axis. */
  lastDay: string;
  /** The marks, laid over the drawing in the same coordinates. */
  children: React.ReactNode;
};

/**
 * A value's history as plain SVG, readable without scripts. Paths are stretched to the available width, while dots and
 * text keep their size; the modes differ by color and by the shape of their marks.
 */
export function HistoryChart({ drawing, description, lastDay, children }: HistoryChartProps) {
  const times = [...drawing.times, { x: 100, text: lastDay }];
  return (
    <div className="chart">
      <svg role="img" aria-label={description} width="100%" height={HEIGHT}>
        <ValueAxis values={drawing.values} />
        <ChartField>
          <TimeAxis times={times} />
          <Updates updates={drawing.updates} />
          {drawing.series.map((series) => (
            <SeriesDrawing key={series.mode} series={series} />
          ))}
        </ChartField>
      </svg>
      <svg className="chart-marks" width="100%" height={HEIGHT}>
        <title>Changes</title>
        <ChartField>{children}</ChartField>
      </svg>
    </div>
  );
}

function ChartField({ children }: { children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: a part of a drawing that has its name
    <svg x="3%" width="94%" height={HEIGHT} overflow="visible">
      {children}
    </svg>
  );
}

/** What the colors stand for. */
export function HistoryLegend({ modes }: { modes: readonly ViewMode[] }) {
  return (
    <ul className="chart-legend">
      {modes.map((mode) => (
        <li key={mode}>
          <svg aria-hidden="true" width="22" height="12" className={`chart-${mode}`}>
            <path d="M1 6h20" />
          </svg>
          {VIEW_MODE_LABELS[mode]}
        </li>
      ))}
    </ul>
  );
}

function ValueAxis({ values }: { values: HistoryDrawing["values"] }) {
  return values.map(({ y, text }) => (
    <g key={text}>
      <line x1="0" x2="100%" y1={y} y2={y} className="chart-line" />
      <text x="0" y={y - 5} className="figures">
        {text}
      </text>
    </g>
  ));
}

function TimeAxis({ times }: { times: HistoryDrawing["times"] }) {
  return times.map(({ x, text }) => (
    <g key={text}>
      <line x1={`${x}%`} x2={`${x}%`} y1={FIELD.height} y2={FIELD.height + 6} className="chart-line" />
      <text x={`${x}%`} y={FIELD.height + 20} textAnchor={anchorAt(x)}>
        {text}
      </text>
    </g>
  ));
}

function Updates({ updates }: { updates: HistoryDrawing["updates"] }) {
  return updates.map(({ x, text }) => (
    <g key={`${x} ${text}`} className="chart-update">
      <line x1={`${x}%`} x2={`${x}%`} y1="0" y2={FIELD.height} />
      <text x={`${x}%`} y="10" dx={x > 50 ? -4 : 4} textAnchor={x > 50 ? "end" : "start"}>
        {text}
      </text>
    </g>
  ));
}

function SeriesDrawing({ series: { mode, known, unchecked, band, dots, end } }: { series: DrawnSeries }) {
  return (
    <g className={`chart-${mode}`}>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${FIELD.width} ${FIELD.height}`}
        width="100%"
        height={FIELD.height}
        preserveAspectRatio="none"
        overflow="visible"
      >
        {band && <path d={band} className="chart-band" />}
        {known && <path d={known} className="chart-known" />}
        {unchecked && <path d={unchecked} className="chart-unchecked" />}
      </svg>
      {dots.map(({ x, y }) => (
        <circle key={x} cx={`${x}%`} cy={y} r="4" />
      ))}
      <text
        x={`${end.x}%`}
        y={end.side === "above" ? end.y - 10 : end.y + 20}
        dx={end.x > 92 ? 6 : 0}
        textAnchor={anchorAt(end.x)}
        className="figures chart-end"
      >
        {end.text}
      </text>
    </g>
  );
}

function anchorAt(x: number): "start" | "middle" | "end" {
  if (x < 8) return "start";
  return x > 92 ? "end" : "middle";
}
