import { formatPercentage } from "./value-change.ts";
import { EN_DASH, formatReading, formatValue, parseValue, type ValueText } from "./value-text.ts";

/** The columns of the two values, whose changes are kept for good. */
export const LEDGERED = ["current_value", "permanent_value"] as const;

/** From which share of the old value on a change is asked about once more: a slip of a zero is ten times as much. */
const LARGE = 0.5;

/**
 * Whether a value moves by more than half of what it was, or loses its number. From nothing or zero there is no share
 * to tell.
 */
export function isLargeChange(before: ValueText, after: ValueText): boolean {
  const [old, now] = [parseValue(before), parseValue(after)];
  if (old === null || old === 0) return false;
  return now === null || Math.abs(now - old) / old > LARGE;
}

/** `640M → 700M (+9.38%)`, as far as there are numbers. */
export function describeChange(before: ValueText, after: ValueText): string {
  const [old, now] = [parseValue(before), parseValue(after)];
  const share = old && now !== null ? ` (${formatPercentage(((now - old) / old) * 100)})` : "";
  return `${shown(before)} → ${shown(after)}${share}`;
}

/**
 * Texts that are shown as they are stay so, also without a number: what will be stored is what matters here. Plain
 * numbers keep their decimals, since one would hide the step.
 */
function shown(value: ValueText): string {
  const number = parseValue(value);
  const text = String(value ?? "");
  if (number === null) return text || EN_DASH;
  return formatValue(value) === text ? text : formatReading(number);
}
