import { typedNumber } from "#domain/text/typed-number.ts";
import { formatReading, parseValue } from "#domain/values/value-text.ts";

/** Raises a value by a percentage, keeping its notation; null if there is no number. */
export function raiseBy(text: string, percent: number): string | null {
  const number = parseValue(text);
  return number === null ? null : inManner(text, Math.max(0, number * (1 + percent / 100)));
}

/** Rounds a value to significant digits (`643.2M` to two is `640M`), or to a multiple of a step such as `5M`. */
export function roundValue(text: string, to: { digits: number } | { step: number }): string | null {
  const number = parseValue(text);
  if (number === null) return null;
  if ("step" in to) return inManner(text, Math.round(number / to.step) * to.step);
  return inManner(text, Number(number.toPrecision(to.digits)));
}

/** Keeps a unit if the text had one; plain numbers stay plain, with hundredths below a thousand. */
function inManner(text: string, number: number): string {
  if (/[KMBT]\s*$/i.test(text)) return formatReading(number);
  return String(number < 1000 ? Math.round(number * 100) / 100 : Math.round(number));
}

/** Parses what to round to: `2 digits`, or a value such as `5M`; null if it is neither. */
export function readRounding(text: string): { digits: number } | { step: number } | null {
  const typed = typedNumber(text);
  const digits = /^([1-6])\s*digits?$/i.exec(typed)?.[1];
  if (digits) return { digits: Number(digits) };
  const step = parseValue(typed);
  return step ? { step } : null;
}

/** Parses `5`, `+5`, `-2.5` or `5 %` as a percentage above -100; null if invalid. */
export function readPercent(text: string): number | null {
  const match = /^([+\-−]?)\s*(\d{1,4}(?:[.,]\d{1,2})?)\s*%?$/.exec(typedNumber(text));
  if (!match?.[2]) return null;
  const percent = Number(match[2].replace(",", ".")) * (match[1] && match[1] !== "+" ? -1 : 1);
  return percent > -100 && percent !== 0 ? percent : null;
}
