import { formatDate } from "#domain/text/dates.ts";
import type { HistoryStep } from "./history-steps.ts";
import type { PricedPoint } from "./value-series.ts";

/** A mode's visible data, as far as the words need it. */
type Seen = {
  stretches: readonly PricedPoint[][];
  unchecked: readonly PricedPoint[];
  checked: number;
  band: object | null;
};

/** Explains the drawing's symbols in words for children. `factor`: by how much each grid line multiplies. */
export function drawingWords(seen: readonly Seen[], factor: number | null): string {
  const dashed = seen.filter(({ unchecked }) => unchecked.length > 0);
  // If the modes differ in the day, it is left out.
  const days = new Set(dashed.map(({ checked }) => formatDate(checked, "UTC")));
  const since = days.size === 1 ? ` ${[...days][0]}` : "";
  return [
    factor && `Each line up is ${factor === 2 ? "twice" : `${factor} times`} as much.`,
    dashed.length > 0 && `Dashed: nobody has checked since${since}.`,
    seen.some(({ band }) => band) && "Shaded: what the value may be off by.",
    seen.some(({ stretches }) => stretches.length > 1) && "Gaps: nobody knows the value there.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** `Aug 11, 2026: 660M to 640M`, or the number of changes and their days. */
export function markLabel(ids: readonly number[], steps: readonly HistoryStep[]): string {
  const meant = steps.filter(({ id }) => ids.includes(id));
  const [newest, oldest] = [meant[0], meant.at(-1)];
  if (!newest || !oldest) return "";
  if (newest !== oldest) return `${meant.length} changes, ${oldest.date} to ${newest.date}`;
  const { date, from, to } = newest;
  return from === null ? `${date}: first known value ${to}` : `${date}: ${from} to ${to}`;
}
