import type { ScaleTime } from "d3-scale";
import { formatMonth, formatMonthDay } from "#domain/text/dates.ts";

/** How many time labels fit on the narrowest phone beside the last day. */
const MOST_TIMES = 3;
/** The label of the last day begins here, in percent. */
const LAST_LABEL = 84;

/** The time labels of the axis: months, or days if months would repeat. Without the last day. */
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
