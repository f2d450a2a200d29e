import { formatDate } from "#domain/text/dates.ts";
import { EN_DASH, formatReading } from "#domain/values/value-text.ts";
import { VIEW_MODE_LABELS, VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";
import type { ValueSeries } from "./value-series.ts";

/** What the chart shows, in words, for those who do not see it. */
export function describeHistory(name: string, history: ValueSeries): string {
  const sentences = VIEW_MODES.flatMap((mode) => {
    const points = history[mode].filter((point) => point.value !== null);
    const [first, last] = [points[0], points.at(-1)];
    if (!first || !last) return [];
    const from = `${formatStep(first.value)} on ${formatDate(first.time)}`;
    return [`${VIEW_MODE_LABELS[mode]}: ${from}, ${formatStep(last.value)} on ${formatDate(last.time)}.`];
  });
  return [`Value history of ${name}.`, ...sentences].join(" ");
}

/** The readings of one day, as a row of the table. */
export type HistoryRow = { time: number } & Partial<Record<ViewMode, number | null>>;

/** The readings by moment, newest first, both modes side by side. */
export function historyRows(history: ValueSeries): HistoryRow[] {
  const rows = new Map<number, HistoryRow>();
  for (const mode of VIEW_MODES) {
    for (const { time, value } of history[mode])
      rows.set(time, { ...(rows.get(time) ?? { time }), [mode]: value });
  }
  return [...rows.values()].sort((a, b) => b.time - a.time);
}

/** One step of a value: what it was and became, null for unpriced. */
export type HistoryStep = { mode: ViewMode; time: number; from: number | null; to: number | null };

/** The latest real changes of both modes, newest first; readings that found the same value are no change. */
export function latestSteps(history: ValueSeries, limit: number): HistoryStep[] {
  const steps = VIEW_MODES.flatMap((mode) =>
    history[mode].flatMap(({ time, value }, index): HistoryStep[] => {
      const before = history[mode][index - 1];
      return before && before.value !== value ? [{ mode, time, from: before.value, to: value }] : [];
    }),
  );
  return steps.sort((a, b) => b.time - a.time).slice(0, limit);
}

/** A value of the history as it is read: an en dash for unpriced. */
export function formatStep(value: number | null): string {
  return value === null ? EN_DASH : formatReading(value);
}
