import { describeReason } from "#app/features/items/change-reason.ts";
import type { ValueReading } from "#app/features/items/value-history-queries.ts";
import { formatDate } from "#domain/text/dates.ts";
import { formatPercentage, type Trend, valueChange } from "#domain/values/value-change.ts";
import { VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";
import { formatStep } from "./describe-history.ts";
import type { SeriesPoint, ValueSeries } from "./value-series.ts";

/** A change of a value in display form: when, from what to what, its source, and why. */
export type HistoryStep = {
  /** Its id in the ledger. */
  id: number;
  mode: ViewMode;
  time: number;
  date: string;
  /** Null for the first known value. */
  from: string | null;
  to: string;
  change: { trend: Trend; text: string } | null;
  why: string;
  source: string;
  /** Where its evidence can be seen. */
  evidence: string | null;
  picture: string | null;
};

/** The source of readings that came with the catalogue and name none. */
const UNNAMED = "Reading of a public value list";

/**
 * Every change of both modes, newest first, including the first known value; readings of the same value are not
 * changes. Readings dated before the item was `listed` here come from elsewhere, and state their source instead of a
 * reason.
 */
export function historySteps(history: ValueSeries, listed: string): HistoryStep[] {
  const listedAt = Date.parse(listed);
  const steps = VIEW_MODES.flatMap((mode) =>
    history[mode].flatMap((point, index, points): HistoryStep[] => {
      const before = points[index - 1] ?? null;
      if (!point.reading || (before ? before.value === point.value : point.value === null)) return [];
      return [
        toStep(mode, before, point, point.reading.id, describeOrigin(point.reading, point.time < listedAt)),
      ];
    }),
  );
  return steps.sort((a, b) => b.time - a.time || b.id - a.id);
}

function toStep(
  mode: ViewMode,
  before: SeriesPoint | null,
  { time, value }: SeriesPoint,
  id: number,
  origin: Pick<HistoryStep, "why" | "source" | "evidence" | "picture">,
): HistoryStep {
  const change = valueChange(value, before?.value ?? null);
  return {
    id,
    mode,
    time,
    date: formatDate(time, "UTC"),
    from: before && formatStep(before.value),
    to: formatStep(value),
    change: change && { trend: change.trend, text: formatPercentage(change.percentage) },
    ...origin,
  };
}

function describeOrigin(reading: ValueReading, isRead: boolean) {
  const { evidence_url: evidence, picture } = reading;
  if (isRead)
    return { why: "The list gives no reason.", source: reading.reason ?? UNNAMED, evidence, picture };
  return {
    why: describeReason(reading) ?? "No reason was given.",
    source: `${reading.editor_name === null ? "Our editors" : `${reading.editor_name} of our editors`}${reading.is_seconded ? ", seen by a second person" : ""}`,
    evidence,
    picture,
  };
}
