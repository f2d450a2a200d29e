import { formatMonthDay } from "../text/dates.ts";
import { formatNumber } from "./value-text.ts";

/** How sure the site is of a value; the database's list_value_ranges says when it is which (P130). */
type Confidence = "high" | "medium" | "low";

/** What a value may be off by: an editor's range, or one that follows from the age of the last check. */
export type ValueRange = {
  low: number;
  high: number;
  confidence: Confidence;
  /** The update of the game that unsettled it, and until when; null where none did. */
  game_update: string | null;
  volatile_until: string | null;
};

/** `low confidence`, or `volatile until Nov 29` after an update of the game. */
export function describeConfidence({ confidence, volatile_until }: ValueRange): string {
  return volatile_until ? `volatile until ${formatMonthDay(volatile_until)}` : `${confidence} confidence`;
}

/** `515M–765M`; one figure where both ends read the same. */
export function formatRange({ low, high }: Pick<ValueRange, "low" | "high">): string {
  const [from, to] = [formatNumber(low), formatNumber(high)];
  return from === to ? from : `${from}–${to}`;
}
