import type { ValueReading } from "#app/features/items/value-history-queries.ts";
import { parseValue } from "#domain/values/value-text.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";

/**
 * A value at a time, in milliseconds; null if the item became unpriced then. `reading` is its row in the ledger; absent
 * if someone checked the value and left it unchanged.
 */
export type SeriesPoint = { time: number; value: number | null; reading?: ValueReading };
export type ValueSeries = Record<ViewMode, SeriesPoint[]>;

/** The gap between two readings from which no line is drawn: about two months (P6). */
export const GAP = 62 * 24 * 60 * 60 * 1000;

/** The known values of both modes, oldest first: readings, and `checks` that confirmed them. */
export function toValueSeries(
  readings: readonly ValueReading[],
  checks: readonly string[] = [],
): ValueSeries {
  const series: ValueSeries = { regular: [], permanent: [] };
  for (const reading of readings) {
    const points = series[reading.mode === "permanent" ? "permanent" : "regular"];
    const point = { time: Date.parse(reading.changed_at), value: parseValue(reading.new_number), reading };
    // Of several at one time the last counts.
    if (points.at(-1)?.time === point.time) points.pop();
    points.push(point);
  }
  const moments = checks.map((check) => Date.parse(check));
  return {
    regular: withChecks(series.regular, moments),
    permanent: withChecks(series.permanent, moments),
  };
}

/** A check confirms the value in force at its time; before the first reading there is none. */
function withChecks(points: SeriesPoint[], checks: readonly number[]): SeriesPoint[] {
  const known = new Set(points.map(({ time }) => time));
  const found = [...new Set(checks)].flatMap((time): SeriesPoint[] => {
    const before = points.findLast((point) => point.time < time);
    return before && !known.has(time) ? [{ time, value: before.value }] : [];
  });
  return [...points, ...found].sort((a, b) => a.time - b.time);
}

export type PricedPoint = { time: number; value: number };

/** The parts of a series that may be joined by a line: separated by gaps and by times without a price. */
export function splitAtGaps(points: readonly SeriesPoint[]): PricedPoint[][] {
  const stretches: PricedPoint[][] = [];
  let last: SeriesPoint | undefined;
  for (const point of points) {
    const before = last && point.time - last.time <= GAP ? last.value : null;
    // An item that became unpriced had its value until then.
    const value = point.value ?? before;
    if (value !== null) {
      const drawn = { time: point.time, value };
      if (before === null) stretches.push([drawn]);
      else stretches.at(-1)?.push(drawn);
    }
    last = point;
  }
  return stretches;
}
