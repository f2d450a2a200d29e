import { VIEW_MODE_LABELS, type ViewMode } from "#domain/values/view-mode.ts";
import { type DrawnSeries, FIELD, type HistoryDrawing, type Place } from "./history-drawing.ts";

const STROKES: Record<ViewMode, string> = { regular: "stroke-link", permanent: "stroke-accent-text" };
const FILLS: Record<ViewMode, string> = { regular: "fill-link", permanent: "fill-accent-text" };

/** Room under the field for the times. */
const AXIS = 26;

/**
 * A value's history as plain SVG, readable before any script runs. Paths are stretched to the width there is, while
 * dots and words keep their size; the modes differ by color and by the shape of their dots.
 */
export function HistoryChart({ drawing, description }: { drawing: HistoryDrawing; description: string }) {
  return (
    <svg
      role="img"
      aria-label={description}
      width="100%"
      height={FIELD.height + AXIS}
      className="block text-2xs"
    >
      <ValueAxis values={drawing.values} />
      <svg x="3%" width="94%" height={FIELD.height + AXIS} overflow="visible" aria-hidden="true">
        <TimeAxis times={drawing.times} />
        {drawing.series.map((series) => (
          <SeriesDrawing key={series.mode} series={series} />
        ))}
      </svg>
    </svg>
  );
}

/** What the colors and shapes stand for. */
export function HistoryLegend({ modes }: { modes: readonly ViewMode[] }) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {modes.map((mode) => (
        <li key={mode} className="flex items-center gap-2">
          <svg aria-hidden="true" width="22" height="12" viewBox="0 0 22 12">
            <path d="M1 6h20" className={STROKES[mode]} strokeWidth="2.5" />
            <Dot mode={mode} x="11" y={6} />
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
      <line x1="0" x2="100%" y1={y} y2={y} className="stroke-line" />
      <text x="0" y={y - 5} className="figures fill-muted">
        {text}
      </text>
    </g>
  ));
}

function TimeAxis({ times }: { times: HistoryDrawing["times"] }) {
  return times.map(({ x, text }) => (
    <g key={text}>
      <line
        x1={`${x}%`}
        x2={`${x}%`}
        y1={FIELD.height}
        y2={FIELD.height + 6}
        className="stroke-line-strong"
      />
      <text x={`${x}%`} y={FIELD.height + 20} textAnchor={anchorAt(x)} className="fill-muted">
        {text}
      </text>
    </g>
  ));
}

function SeriesDrawing({ series }: { series: DrawnSeries }) {
  const { mode, paths, dots, end } = series;
  return (
    <>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${FIELD.width} ${FIELD.height}`}
        width="100%"
        height={FIELD.height}
        preserveAspectRatio="none"
        overflow="visible"
      >
        {paths.map((path) => (
          <path
            key={path}
            d={path}
            fill="none"
            strokeWidth="2.5"
            vectorEffect="non-scaling-stroke"
            className={STROKES[mode]}
          />
        ))}
      </svg>
      {dots.map(({ x, y }) => (
        <Dot key={`${x} ${y}`} mode={mode} x={`${x}%`} y={y} />
      ))}
      <EndLabel mode={mode} end={end} />
    </>
  );
}

function EndLabel({ mode, end }: { mode: ViewMode; end: DrawnSeries["end"] }) {
  return (
    <text
      x={`${end.x}%`}
      y={end.side === "above" ? end.y - 12 : end.y + 22}
      dx="6"
      textAnchor={anchorAt(end.x)}
      className={`figures text-sm font-bold ${FILLS[mode]}`}
    >
      {end.text}
    </text>
  );
}

/** Round for regular, a diamond for permanent. A diamond needs its own small field, since paths know no percent. */
function Dot({ mode, x, y }: { mode: ViewMode; x: string; y: Place["y"] }) {
  if (mode === "regular") return <circle cx={x} cy={y} r="4.5" className={FILLS[mode]} />;
  return (
    <svg aria-hidden="true" x={x} y={y} overflow="visible">
      <path d="M0-5.5 5.5 0 0 5.5-5.5 0Z" className={FILLS[mode]} />
    </svg>
  );
}

function anchorAt(x: number): "start" | "middle" | "end" {
  if (x < 8) return "start";
  return x > 92 ? "end" : "middle";
}
