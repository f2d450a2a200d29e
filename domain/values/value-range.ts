import { formatNumber } from "./value-text.ts";

/** How sure the site is of a value; the database's value_confidence says when it is which (P130). */
export const CONFIDENCES = ["high", "medium", "low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** What a value may be off by: an editor's range, or one that follows from the age of the last check. */
export type ValueRange = { low: number; high: number; confidence: Confidence };

/** `515M–765M`; one figure where both ends read the same. */
export function formatRange({ low, high }: Pick<ValueRange, "low" | "high">): string {
  const [from, to] = [formatNumber(low), formatNumber(high)];
  return from === to ? from : `${from}–${to}`;
}
