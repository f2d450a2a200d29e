import type { ScaleTime } from "d3-scale";
import { formatMonth, formatMonthDay } from "#domain/text/dates.ts";

/** As many times fit beside each other on the narrowest phone, beside the last day. */
const MOST_TIMES = 3;
/** The last day's own label stands from here on, in percent. */
const LAST_LABEL = 84;

/** Where the times stand on the axis: months, or days where months would say the same twice. The last day is not among them. */
export function timesOf(x: ScaleTime<number, number>): { x: number; text: string }[] {
  const ticks = x.ticks(MOST_TIMES);
  const every = Math.ceil(ticks.length / MOST_TIMES);
  const times = ticks.filter((_tick, index) => index % every === 0);
  const isByMonth = new Set(times.map(formatMonth)).size === times.length;
  return times
    .map((time) => ({
      x: Math.round(x(time)) / 10,
      text: isByMonth ? formatMonth(time) : formatMonthDay(time),
    }))
    .filter((time) => time.x < LAST_LABEL);
}
