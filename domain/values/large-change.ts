import { formatPercentage } from "./value-change.ts";
import { EN_DASH, formatReading, formatValue, parseValue, type ValueText } from "./value-text.ts";

/** The columns of the two values, whose changes are recorded permanently. */
export const LEDGERED = ["current_value", "permanent_value"] as const;

/** Changes above this share of the old value need confirmation; an extra zero makes a value ten times as large. */
const LARGE = 0.5;

/**
 * Whether a value moves by more than half of what it was, or is no longer a number. From nothing or zero there is no
 * share to compute.
 */
export function isLargeChange(before: ValueText, after: ValueText): boolean {
  const [old, now] = [parseValue(before), parseValue(after)];
  if (old === null || old === 0) return false;
  return now === null || Math.abs(now - old) / old > LARGE;
}

/** `640M → 700M (+9.38%)`, as far as the values are numbers. */
export function describeChange(before: ValueText, after: ValueText): string {
  const [old, now] = [parseValue(before), parseValue(after)];
  const share = old && now !== null ? ` (${formatPercentage(((now - old) / old) * 100)})` : "";
  return `${shown(before)} → ${shown(after)}${share}`;
}

/**
 * Texts that are displayed as stored stay so, even if not numeric: what matters is the value to be stored. Plain
 * numbers keep all their decimals, since rounding could hide the change.
 */
function shown(value: ValueText): string {
  const number = parseValue(value);
  const text = String(value ?? "");
  if (number === null) return text || EN_DASH;
  return formatValue(value) === text ? text : formatReading(number);
}
