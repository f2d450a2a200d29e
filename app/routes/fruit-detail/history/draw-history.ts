import { type ScaleTime, scaleUtc } from "d3-scale";
import type { ItemUpdate } from "#app/features/items/value-history-queries.ts";
import type { ItemRanges } from "#app/features/items/value-range-queries.ts";
import { formatDate, formatMonth, formatMonthDay } from "#domain/text/dates.ts";
import { formatReading } from "#domain/values/value-text.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { isUnchecked } from "./describe-history.ts";
import { drawingWords, markLabel } from "./drawing-words.ts";
import { type DrawnSeries, FIELD, type HistoryDrawing, type Mark, type Place } from "./history-drawing.ts";
import type { HistoryStep } from "./history-steps.ts";
import { type ValueScale, valueScale } from "./value-scale.ts";
import { type PricedPoint, type SeriesPoint, splitAtGaps, type ValueSeries } from "./value-series.ts";

const DAY = 24 * 60 * 60 * 1000;
/** The distance in percent that gives each mark 44 px of a phone's width to itself. */
const MARK_SPACE = 16;

/** The time span drawn; `from` is null for the first reading. */
export type Window = { from: number | null; to: number };

/** A mode's visible data: stretches of known values, and the unchecked time since. */
type Seen = {
  mode: ViewMode;
  stretches: PricedPoint[][];
  unchecked: PricedPoint[];
  checked: number;
  band: Band | null;
};

/** The value's range since its last move. */
type Band = { since: number; low: number; high: number };

/** What is drawn besides the values: the current range, and game updates. */
type Around = { range?: ItemRanges; updates?: readonly ItemUpdate[] };

type Scales = { x: (time: number) => number; y: ValueScale["y"] };

/** Draws the history of some modes on common axes; null if nothing is priced. */
export function drawHistory(
  history: ValueSeries,
  modes: readonly ViewMode[],
  window: Window,
  steps: readonly HistoryStep[],
  { range = {}, updates = [] }: Around = {},
): HistoryDrawing | null {
  const firsts = modes.flatMap((mode) => history[mode].find(({ value }) => value !== null)?.time ?? []);
  const from = window.from ?? Math.min(...firsts);
  // A first reading from today has no width.
  const span = { from: Math.min(from, window.to - DAY), to: window.to };
  const seen = modes.map((mode) => lookAt(mode, history[mode], span, range[mode])).filter(hasValue);
  const values = seen.flatMap(heightsOf);
  if (values.length === 0) return null;
  const time = scaleUtc([span.from, span.to], [0, FIELD.width]);
  const { y, lines, factor } = valueScale(values);
  const scales = {
    x: (moment: number) => Math.round(time(moment)),
    y: (value: number) => Math.round(y(value)),
  };
  return {
    words: drawingWords(seen, factor),
    series: seen.map((each) => drawSeries(each, span.to, scales, endSide(each, seen))),
    marks: marksOf(steps, history, modes, span, scales),
    values: lines,
    times: timesOf(time, span.to),
    updates: updates
      .filter(({ happened_at }) => Date.parse(happened_at) >= span.from)
      .map(({ name, happened_at }) => ({
        x: scales.x(Date.parse(happened_at)) / 10,
        text: name,
        date: formatDate(happened_at, "UTC"),
      })),
  };
}

/** Cuts a series to a time span; a value in force when it begins is shown from its beginning. */
function lookAt(
  mode: ViewMode,
  points: readonly SeriesPoint[],
  { from, to }: { from: number; to: number },
  range: ItemRanges[ViewMode],
): Seen {
  const stretches = splitAtGaps(points).flatMap((stretch) => {
    const before = stretch.findLast((point) => point.time < from);
    const inside = stretch.filter((point) => point.time >= from && point.time <= to);
    if (before && inside.length > 0) return [[{ time: from, value: before.value }, ...inside]];
    return inside.length > 0 ? [inside] : [];
  });
  const last = points.at(-1);
  const value = last && isUnchecked(last.time, to) ? last.value : null;
  const ends = [Math.max(last?.time ?? from, from), to];
  const unchecked = value === null ? [] : ends.map((time) => ({ time, value }));
  return { mode, stretches, unchecked, checked: last?.time ?? to, band: bandOf(points, { from, to }, range) };
}

/** The current range applies since the value last moved; the earlier range is unknown. */
function bandOf(
  points: readonly SeriesPoint[],
  { from, to }: { from: number; to: number },
  range: ItemRanges[ViewMode],
): Band | null {
  const last = points.at(-1);
  if (!range || !last || last.value === null) return null;
  const before = points.findLastIndex(({ value }) => value !== last.value);
  const since = Math.max(points[before + 1]?.time ?? from, from);
  return since < to ? { since, low: range.low, high: range.high } : null;
}

const valuesOf = ({ stretches, unchecked }: Seen) =>
  [...stretches.flat(), ...unchecked].map(({ value }) => value);
const hasValue = (seen: Seen) => valuesOf(seen).length > 0;
const heightsOf = (seen: Seen) => [...valuesOf(seen), ...(seen.band ? [seen.band.low, seen.band.high] : [])];

function drawSeries(
  { mode, stretches, unchecked, band }: Seen,
  to: number,
  scales: Scales,
  side: "above" | "below",
): DrawnSeries {
  const last = unchecked.at(-1) ?? stretches.at(-1)?.at(-1) ?? { time: 0, value: 0 };
  // A stretch of a single point would be invisible as a line.
  const alone = stretches.flatMap((stretch) => (stretch.length === 1 ? stretch : []));
  return {
    mode,
    known: stretches.map((stretch) => stepPath(stretch, scales)).join(""),
    unchecked: stepPath(unchecked, scales),
    band: band ? bandPath(band, to, scales) : "",
    dots: alone.map((point) => placeOf(point, scales)),
    end: { ...placeOf(last, scales), text: formatReading(last.value), side },
  };
}

function bandPath({ since, low, high }: Band, to: number, { x, y }: Scales): string {
  return `M${x(since)} ${y(high)}H${x(to)}V${y(low)}H${x(since)}Z`;
}

/** A step line: each value is held until the next one is known; empty for fewer than two points. */
function stepPath([first, ...rest]: readonly PricedPoint[], { x, y }: Scales): string {
  if (!first || rest.length === 0) return "";
  let level = y(first.value);
  let path = `M${x(first.time)} ${level}`;
  for (const [index, { time, value }] of rest.entries()) {
    const next = y(value);
    const isLast = index === rest.length - 1;
    if (next !== level || isLast) path += `H${x(time)}`;
    if (next !== level) path += `V${next}`;
    level = next;
  }
  return path;
}

function placeOf({ time, value }: PricedPoint, { x, y }: Scales): Place {
  return { x: x(time) / 10, y: y(value) };
}

/** The visible changes, newest first; changes too close to press separately share the mark of the newest. */
function marksOf(
  steps: readonly HistoryStep[],
  history: ValueSeries,
  modes: readonly ViewMode[],
  { from, to }: { from: number; to: number },
  scales: Scales,
): Mark[] {
  const marks: Mark[] = [];
  for (const { id, mode, time } of steps) {
    const value = history[mode].find((point) => point.reading?.id === id)?.value ?? null;
    if (!modes.includes(mode) || time < from || time > to) continue;
    const { x, y } = placeOf({ time, value: value ?? 0 }, scales);
    const last = marks.at(-1);
    if (last && last.x - x < MARK_SPACE) last.steps.push(id);
    // A change to unpriced has no height: it is read with the next change, or in the list.
    else if (value !== null) marks.push({ x, y, mode, steps: [id], label: "" });
  }
  return marks.reverse().map((mark) => ({ ...mark, label: markLabel(mark.steps, steps) }));
}

/** The higher of two last values is labeled above itself, the lower one below. */
function endSide(own: Seen, all: readonly Seen[]): "above" | "below" {
  const last = (seen: Seen) => valuesOf(seen).at(-1) ?? 0;
  return all.some((other) => other !== own && last(other) > last(own)) ? "below" : "above";
}

/** How many time labels fit on the narrowest phone beside the last day. */
const MOST_TIMES = 3;
/** The label of the last day begins here, in percent. */
const LAST_LABEL = 84;

/** The time labels of the axis: months, or days if months would repeat, each day once. Without the last day. */
function timesOf(x: ScaleTime<number, number>, last: number): { x: number; text: string }[] {
  const ticks = x.ticks(MOST_TIMES);
  const every = Math.ceil(ticks.length / MOST_TIMES);
  const times = ticks.filter((_tick, index) => index % every === 0);
  const isByMonth = new Set(times.map(formatMonth)).size === times.length;
  const lastText = isByMonth ? "" : formatMonthDay(last);
  return times
    .map((time) => ({
      x: Math.round(x(time)) / 10,
      text: isByMonth ? formatMonth(time) : formatMonthDay(time),
    }))
    .filter(
      (time, index, all) =>
        time.x < LAST_LABEL && time.text !== lastText && time.text !== all[index - 1]?.text,
    );
}
