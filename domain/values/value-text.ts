/** A value as stored in the catalogue: a number, a text such as `640M`, or nothing. */
export type ValueText = string | number | null | undefined;

/** Shown for an item without a number; never `0`, which is a real value (P5). */
export const EN_DASH = "–";

const UNITS = [
  { suffix: "T", exponent: 12 },
  { suffix: "B", exponent: 9 },
  { suffix: "M", exponent: 6 },
  { suffix: "K", exponent: 3 },
] as const;

/** White space used by people and spreadsheets as thousands separators: space, no-break, thin no-break. */
const SPACE = "[ \\u00a0\\u202f]";
const WHOLE = `(?:\\d{1,3}(?:(?:,|${SPACE})\\d{3})+|\\d+)`;
const VALUE = new RegExp(`^(${WHOLE}?(?:\\.\\d+)?)${SPACE}*([KMBT])?$`, "i");
const NUMBER_AND_SUFFIX = /^\d+(?:\.\d+)?[KMBT]$/i;
const SEPARATORS = new RegExp(`,|${SPACE}`, "g");

/**
 * Parses a value text as a number; `null` if it is unpriced (empty, `N/A`, not a number). Suffixes K, M, B, T in either
 * case multiply by 1e3 to 1e12; commas and spaces are accepted only as thousands separators, so that a decimal comma
 * (`1,5M`) is not read as fifteen million. 5.parse.01–05, P2. The database parses its text columns by the same grammar.
 */
export function parseValue(value: ValueText): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const match = VALUE.exec(value?.trim() ?? "");
  if (!match?.[1]) return null;
  const exponent = UNITS.find((unit) => unit.suffix === match[2]?.toUpperCase())?.exponent ?? 0;
  // Appends the exponent to the text: 6.98 * 1e9 would be slightly off.
  return finite(Number(`${match[1].replace(SEPARATORS, "")}e${exponent}`));
}

/**
 * A value for display: a text that is already a number with a suffix stays as it is, any other number goes through
 * `formatNumber`, an unpriced value becomes an en dash (5.parse.01–05, P3 and P5).
 */
export function formatValue(value: ValueText): string {
  if (typeof value === "string" && NUMBER_AND_SUFFIX.test(value.trim())) return value.trim();
  const number = parseValue(value);
  return number === null ? EN_DASH : formatNumber(number);
}

/**
 * A finite number with its unit: at most one decimal, `.0` dropped, never `1000` of a unit (999,950 is `1M`). Numbers
 * below 1000 are plain, with at most two decimals.
 */
export function formatNumber(number: number): string {
  const size = Math.abs(number);
  const sign = number < 0 ? "-" : "";
  const unit = UNITS.find(({ exponent }) => reaches(size, exponent));
  if (unit) return `${sign}${digits(tenths(size, unit.exponent) / 10)}${unit.suffix}`;
  const plain = Math.round(size * 100) / 100;
  return plain === 0 ? "0" : `${sign}${plain}`;
}

/**
 * A number with its unit and its own decimals, up to three, as people type values: 6,240,000,000 is `6.24B`. For
 * readings side by side, where a single decimal would hide the difference.
 */
export function formatReading(number: number): string {
  const unit = UNITS.find(({ exponent }) => Math.abs(number) >= 10 ** exponent);
  if (!unit) return formatNumber(number);
  const text = String(Math.round((number / 10 ** unit.exponent) * 1000) / 1000);
  return /^-?\d{1,3}(\.\d+)?$/.test(text) ? text + unit.suffix : formatNumber(number);
}

/** Whether a number is shown in this unit; also if it would round to 1000 in the next smaller one. */
function reaches(size: number, exponent: number): boolean {
  return exponent === 3 ? Math.round(size * 100) >= 100_000 : tenths(size, exponent - 3) >= 10_000;
}

function tenths(size: number, exponent: number): number {
  return Math.round(size / 10 ** (exponent - 1));
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

/** From 1e21 on, `String` switches to scientific notation. */
function digits(number: number): string {
  return number < 1e21 ? String(number) : BigInt(number).toString();
}
