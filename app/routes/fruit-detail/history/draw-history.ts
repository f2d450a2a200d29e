import { scaleLinear, scaleLog, scaleUtc } from "d3-scale";
import { line } from "d3-shape";
import { formatMonth, formatMonthDay } from "#domain/text/dates.ts";
import { formatNumber, formatReading } from "#domain/values/value-text.ts";
import { VIEW_MODES } from "#domain/values/view-mode.ts";
import { type DrawnSeries, FIELD, type HistoryDrawing, type Place } from "./history-drawing.ts";
import { type SeriesPoint, stretchesOf, type ValueSeries } from "./value-series.ts";

/** Room above and below the outermost values, for their labels. */
const MARGIN = 34;
/** From this ratio of largest to smallest value on, the scale is logarithmic. */
const WIDE = 12;
/** As many times fit beside each other on the narrowest phone. */
const MOST_TIMES = 4;
const DAY = 24 * 60 * 60 * 1000;

type Priced = { time: number; value: number };
type Scale = (value: number) => number;

/** Draws the priced readings of both modes on common axes; null when there are none. */
export function drawHistory(history: ValueSeries): HistoryDrawing | null {
  const priced = VIEW_MODES.map((mode) => history[mode].filter(isPriced));
  const all = priced.flat();
  if (all.length === 0) return null;
  const x = timeScale(all);
  const { y, ticks, logarithmic } = valueScale(all);
  const place = ({ time, value }: Priced): Place => ({ x: round(x(time) / 10), y: round(y(value)) });
  const path = line<Priced>(
    ({ time }) => round(x(time)),
    ({ value }) => round(y(value)),
  );
  const lasts = priced.map((points) => points.at(-1));
  const series = VIEW_MODES.flatMap((mode, index): DrawnSeries[] => {
    const last = lasts[index];
    if (!last) return [];
    const stretches = stretchesOf(history[mode]).filter((stretch) => stretch.length > 1);
    return [
      {
        mode,
        paths: stretches.map((stretch) => path(stretch) ?? ""),
        dots: (priced[index] ?? []).map(place),
        end: { ...place(last), text: formatReading(last.value), side: endSide(last, lasts[1 - index]) },
      },
    ];
  });
  return {
    logarithmic,
    series,
    values: labeled(ticks, formatNumber, formatReading).map(([value, text]) => ({
      y: round(y(value)),
      text,
    })),
    times: labeled(thinned(x.ticks(MOST_TIMES)), formatMonth, formatMonthDay).map(([time, text]) => ({
      x: round(x(time) / 10),
      text,
    })),
  };
}

function timeScale(points: readonly Priced[]) {
  const times = points.map((point) => point.time);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const spare = first === last ? 15 * DAY : 0;
  return scaleUtc([first - spare, last + spare], [0, FIELD.width]);
}

/** Logarithmic where the values span orders of magnitude, else linear; zero fits only a linear one. */
function valueScale(points: readonly Priced[]): { y: Scale; ticks: number[]; logarithmic: boolean } {
  const values = points.map((point) => point.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const range = [FIELD.height - MARGIN, MARGIN];
  if (least > 0 && most / least >= WIDE) {
    const y = scaleLog([least, most], range);
    return { y, ticks: sparse(y.ticks(4)), logarithmic: true };
  }
  const y = scaleLinear([least === most ? 0 : least, most || 1], range).nice(3);
  return { y, ticks: y.ticks(3), logarithmic: false };
}

/** Each tick with its label: the short form where it tells all of them apart, else the exact one. None stands twice. */
function labeled<Tick>(
  ticks: readonly Tick[],
  short: (tick: Tick) => string,
  exact: (tick: Tick) => string,
): [Tick, string][] {
  const format = new Set(ticks.map(short)).size === ticks.length ? short : exact;
  const texts = ticks.map(format);
  return ticks.flatMap((tick, index): [Tick, string][] => {
    const text = texts[index] ?? "";
    return texts.indexOf(text) === index ? [[tick, text]] : [];
  });
}

/** Scales offer about as many ticks as asked, which can be twice as many. */
function thinned<Tick>(ticks: readonly Tick[]): Tick[] {
  const every = Math.ceil(ticks.length / MOST_TIMES);
  return ticks.filter((_tick, index) => index % every === 0);
}

/** A logarithmic scale offers every digit of each power of ten: 1, 2 and 5 are enough, over many powers 1 alone. */
function sparse(ticks: number[]): number[] {
  const round = ticks.filter((tick) => /^[125]/.test(tick.toExponential()));
  const powers = round.filter((tick) => /^1/.test(tick.toExponential()));
  if (round.length <= 6) return round;
  return powers.filter((_power, index) => powers.length <= 6 || index % 2 === 0);
}

/** The higher of two last readings is labeled above itself, the lower one below. */
function endSide(own: Priced, other: Priced | undefined): "above" | "below" {
  return other && other.value > own.value ? "below" : "above";
}

function isPriced(point: SeriesPoint): point is Priced {
  return point.value !== null;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
