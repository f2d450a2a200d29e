import { formatMonthDay } from "../text/dates.ts";
import { formatNumber } from "./value-text.ts";

/** The site's confidence in a value; assigned by the database's list_value_ranges (P130). */
type Confidence = "high" | "medium" | "low";

/** The uncertainty of a value: an editor's range, or one derived from the age of the last check. */
export type ValueRange = {
  low: number;
  high: number;
  confidence: Confidence;
  /** The game update that made it volatile, and until when; null if none. */
  game_update: string | null;
  volatile_until: string | null;
};

/** `low confidence`, or `volatile until Nov 29` after a game update. */
export function describeConfidence({ confidence, volatile_until }: ValueRange): string {
  return volatile_until ? `volatile until ${formatMonthDay(volatile_until)}` : `${confidence} confidence`;
}

/** `515M–765M`; a single number if both ends read the same. */
export function formatRange({ low, high }: Pick<ValueRange, "low" | "high">): string {
  const [from, to] = [formatNumber(low), formatNumber(high)];
  return from === to ? from : `${from}–${to}`;
}
