import type { ValueReading } from "#app/features/items/item-queries.ts";
import { parseValue } from "#domain/values/value-text.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";

/** One value at one time, in milliseconds; null from when the item was unpriced. */
export type SeriesPoint = { time: number; value: number | null };
export type ValueSeries = Record<ViewMode, SeriesPoint[]>;

/** From which silence on nothing is drawn between two readings: about two months (P6). */
export const GAP = 62 * 24 * 60 * 60 * 1000;

/** The readings of both modes, oldest first; of several at one moment the last counts. */
export function toValueSeries(readings: readonly ValueReading[]): ValueSeries {
  const series: ValueSeries = { regular: [], permanent: [] };
  for (const reading of readings) {
    const points = series[reading.mode === "permanent" ? "permanent" : "regular"];
    const point = { time: Date.parse(reading.changed_at), value: parseValue(reading.new_number) };
    if (points.at(-1)?.time === point.time) points.pop();
    points.push(point);
  }
  return series;
}

/** The stretches of a series that may be joined by a line: parted by gaps and by times without a price. */
export function stretchesOf(points: readonly SeriesPoint[]): { time: number; value: number }[][] {
  const stretches: { time: number; value: number }[][] = [];
  let last: SeriesPoint | undefined;
  for (const point of points) {
    const joined = last && last.value !== null && point.time - last.time <= GAP;
    if (point.value !== null) {
      const drawn = { time: point.time, value: point.value };
      if (joined) stretches.at(-1)?.push(drawn);
      else stretches.push([drawn]);
    }
    last = point;
  }
  return stretches;
}
