import { formatDate } from "#domain/text/dates.ts";
import { EN_DASH, formatReading } from "#domain/values/value-text.ts";
import { VIEW_MODE_LABELS, VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";
import type { ValueSeries } from "./value-series.ts";

/** A text alternative of the chart for some modes. */
export function describeHistory(
  name: string,
  history: ValueSeries,
  modes: readonly ViewMode[],
  now: number,
): string {
  const sentences = modes.flatMap((mode) => {
    const points = history[mode].filter((point) => point.value !== null);
    const [first, last] = [points[0], points.at(-1)];
    if (!first || !last) return [];
    const from = `${formatStep(first.value)} on ${formatDate(first.time, "UTC")}`;
    const to = `${formatStep(last.value)} on ${formatDate(last.time, "UTC")}`;
    const until = isUnchecked(last.time, now) ? " Not checked since." : "";
    return [`${VIEW_MODE_LABELS[mode]}: ${from}, ${to}.${until}`];
  });
  return [`Value history of ${name}.`, ...sentences].join(" ");
}

const DAY = 24 * 60 * 60 * 1000;

/** Whether the last check is so long ago that the line is drawn as unchecked. */
export function isUnchecked(last: number, now: number): boolean {
  return now - last >= DAY;
}

/** The readings of one day, as a row of the table. */
export type HistoryRow = { time: number } & Partial<Record<ViewMode, number | null>>;

/** The readings by time, newest first, both modes side by side. */
export function historyRows(history: ValueSeries): HistoryRow[] {
  const rows = new Map<number, HistoryRow>();
  for (const mode of VIEW_MODES) {
    for (const { time, value } of history[mode])
      rows.set(time, { ...(rows.get(time) ?? { time }), [mode]: value });
  }
  return [...rows.values()].sort((a, b) => b.time - a.time);
}

/** A historical value in display form: an en dash if unpriced. */
export function formatStep(value: number | null): string {
  return value === null ? EN_DASH : formatReading(value);
}
