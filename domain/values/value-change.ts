import { formatNumber } from "./value-text.ts";

export type Trend = "Rising" | "Falling" | "Stable";

/** The change since the previous value; `percentage` is of the previous value, 0 if that is not above 0. */
export type ValueChange = { change: number; percentage: number; trend: Trend };

/** Shown beside the en dash if a value or the previous one is unpriced (P27). */
export const NOT_ENOUGH_DATA = "not enough data";

/** Change, percentage and trend (4.detail.01–03); null when either value is unpriced. */
export function valueChange(current: number | null, previous: number | null): ValueChange | null {
  if (current === null || previous === null) return null;
  const change = current - previous;
  return { change, percentage: previous > 0 ? (change / previous) * 100 : 0, trend: trendOf(change) };
}

/** Rising above 0, Falling below 0, Stable at 0 (4.detail.01–03). */
export function trendOf(change: number): Trend {
  if (change > 0) return "Rising";
  return change < 0 ? "Falling" : "Stable";
}

/** A change with its sign, such as `+50M`, `-20M` or `0`. */
export function formatChange(change: number): string {
  const text = formatNumber(change);
  return change > 0 && text !== "0" ? `+${text}` : text;
}

/** A percentage with its sign and two decimals, such as `-3.03%`; `0.00%` if it rounds to zero. */
export function formatPercentage(percentage: number): string {
  const text = percentage.toFixed(2);
  if (Number(text) === 0) return "0.00%";
  return percentage > 0 ? `+${text}%` : `${text}%`;
}
