import { scaleLinear, scaleLog } from "d3-scale";
import { formatNumber, formatReading } from "#domain/values/value-text.ts";
import { FIELD } from "./history-drawing.ts";

/** Room above and below the outermost values, for their labels. */
const MARGIN = { top: 30, bottom: 26 };
/** From this ratio of largest to smallest value on, the scale is logarithmic. */
const WIDE = 12;
/** The most grid lines that are easy to read. */
const MOST_LINES = 6;

export type ValueScale = {
  y: (value: number) => number;
  lines: { y: number; text: string }[];
  /** By how much each grid line multiplies; null on a linear scale. */
  factor: number | null;
};

/** A logarithmic scale if the values span orders of magnitude, else a linear one; zero fits only the latter. */
export function valueScale(values: readonly number[]): ValueScale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const range = [FIELD.height - MARGIN.bottom, MARGIN.top];
  if (least > 0 && most / least >= WIDE) {
    const factor = factorFor(most / least);
    const ticks = multiples(least, most, factor);
    const y = scaleLog([ticks[0] ?? least, ticks.at(-1) ?? most], range);
    return { y, lines: linesAt(ticks, y), factor };
  }
  const y = scaleLinear([least === most ? 0 : least, most || 1], range).nice(3);
  return { y, lines: linesAt(y.ticks(3), y), factor: null };
}

/** Doubling, which children understand at once, if that takes few lines. */
function factorFor(ratio: number): number {
  const few = [2, 4, 10, 100, 1_000].find((factor) => Math.log(ratio) / Math.log(factor) <= MOST_LINES);
  return few ?? 10 ** Math.ceil(Math.log10(ratio) / MOST_LINES);
}

/** From a round number below the least value up to one above the greatest. */
function multiples(least: number, most: number, factor: number): number[] {
  const power = 10 ** Math.floor(Math.log10(least));
  const digit = [8, 5, 4, 2, 1].find((each) => each * power <= least) ?? 1;
  const ticks = [factor >= 10 ? power : digit * power];
  while ((ticks.at(-1) ?? most) < most) ticks.push((ticks.at(-1) ?? 1) * factor);
  return ticks;
}

/** Each line with its label: the short form if it distinguishes all of them, else the exact one. No label repeats. */
function linesAt(ticks: readonly number[], y: (value: number) => number): ValueScale["lines"] {
  const format = new Set(ticks.map(formatNumber)).size === ticks.length ? formatNumber : formatReading;
  const lines = new Map(ticks.map((tick) => [format(tick), tick]));
  return [...lines].map(([text, tick]) => ({ y: Math.round(y(tick)), text }));
}
