import type { ItemUpdate } from "#app/features/items/value-history-queries.ts";
import type { ItemRanges } from "#app/features/items/value-range-queries.ts";
import { VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";
import { describeHistory } from "./describe-history.ts";
import { drawHistory } from "./draw-history.ts";
import type { HistoryDrawing } from "./history-drawing.ts";
import { type HistoryStep, historySteps } from "./history-steps.ts";
import type { ValueSeries } from "./value-series.ts";

const DAY = 24 * 60 * 60 * 1000;

/** How far back each time range reaches, in days; null for everything. */
const RANGES = { "30 days": 30, "90 days": 90, "1 year": 365, All: null } as const;
export type Range = keyof typeof RANGES;

/** What a chart can show: one mode, or both together. */
type Subject = ViewMode | "both";
const MODES_OF: Record<Subject, readonly ViewMode[]> = {
  regular: ["regular"],
  permanent: ["permanent"],
  both: VIEW_MODES,
};

/** A subject's chart in each available time range, and its text alternative. */
export type SubjectCharts = {
  description: string;
  drawings: Partial<Record<Range, HistoryDrawing>>;
};

/** An item's history, computed and drawn once on the server: the browser only selects what is shown. */
export type ShownHistory = {
  /** From the shortest to everything; more than one only if they differ. */
  ranges: Range[];
  /** A mode without values has none; both together only if both have values. */
  charts: Partial<Record<Subject, SubjectCharts>>;
  steps: HistoryStep[];
};

/**
 * `listed`: since when the item is listed here; `now`: the end of the drawing; `range`: the current ranges; `updates`:
 * game updates.
 */
export function toShownHistory(
  name: string,
  history: ValueSeries,
  {
    listed,
    range,
    updates,
    now,
  }: { listed: string; range: ItemRanges; updates: readonly ItemUpdate[]; now: number },
): ShownHistory {
  const steps = historySteps(history, listed);
  const reaches = rangesOf(history, now);
  const priced = VIEW_MODES.filter((mode) => history[mode].some(({ value }) => value !== null));
  const subjects: readonly Subject[] = priced.length > 1 ? [...priced, "both"] : priced;
  const charts: ShownHistory["charts"] = {};
  for (const subject of subjects) {
    const modes = MODES_OF[subject];
    const drawings: SubjectCharts["drawings"] = {};
    for (const reach of reaches) {
      const drawing = drawHistory(history, modes, { from: startOf(reach, now), to: now }, steps, {
        range,
        updates,
      });
      if (drawing) drawings[reach] = drawing;
    }
    charts[subject] = { description: describeHistory(name, history, modes, now), drawings };
  }
  return { ranges: reaches, charts, steps };
}

/** The time ranges that contain something known, with something known before them; and everything. */
function rangesOf(history: ValueSeries, now: number): Range[] {
  const times = VIEW_MODES.flatMap((mode) => history[mode].map(({ time }) => time));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return (Object.keys(RANGES) as Range[]).filter((range) => {
    const start = startOf(range, now);
    return start === null || (first < start && last > start);
  });
}

function startOf(range: Range, now: number): number | null {
  const days = RANGES[range];
  return days === null ? null : now - days * DAY;
}
