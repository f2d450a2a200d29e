import { NOT_ENOUGH_DATA, type Trend } from "#domain/values/value-change.ts";
import { NoFigure } from "./figure-text.tsx";

export const TREND_COLORS: Record<Trend, string> = {
  Rising: "text-rise",
  Falling: "text-fall",
  Stable: "text-muted",
};
const MARKS: Record<Trend, string> = { Rising: "▲", Falling: "▼", Stable: "●" };

/** A change with its sign and an arrow, so that its direction does not depend on color. */
export function ChangeText({ trend, text }: { trend: Trend; text: string }) {
  return (
    <span className={TREND_COLORS[trend]}>
      <TrendMark trend={trend} /> {text}
    </span>
  );
}

/** An icon for a trend: up, down or level. */
export function TrendMark({ trend }: { trend: Trend }) {
  return (
    <span aria-hidden="true" className={`text-[0.7em] ${TREND_COLORS[trend]}`}>
      {MARKS[trend]}
    </span>
  );
}

/** Shown in place of the change, percentage or trend of an unpriced item (P27). */
export function NotEnoughData() {
  return (
    <>
      <NoFigure /> <span className="text-2xs font-normal text-muted">{NOT_ENOUGH_DATA}</span>
    </>
  );
}
