/** A time zone for `Intl`; without a name, the reader's. */
export type Zone = string | undefined;

/**
 * The reader's time zone, in the browser. It goes without its name: devices without a known one call it "Etc/Unknown",
 * for which `Intl` throws.
 */
export const READERS_ZONE: Zone = undefined;

/**
 * A date such as `Nov 21, 2026` (9.dates.01, P36); empty if invalid. The zone is the reader's, as `DateText` has it, or
 * UTC for what is the same for everyone.
 */
export function formatDate(date: string | number | Date, timeZone: Zone): string {
  return formatAs(date, { dateStyle: "medium", timeZone });
}

/** A date with its time, `Nov 21, 2026, 10:43 AM`; empty if invalid. */
export function formatDateTime(date: string | number | Date, timeZone: Zone): string {
  return formatAs(date, { dateStyle: "medium", timeStyle: "short", timeZone });
}

/** A month on a chart's axis, `Nov 2026`. */
export function formatMonth(date: string | number | Date): string {
  return formatAs(date, { month: "short", year: "numeric", timeZone: "UTC" });
}

/** A day on a chart axis that spans weeks, `Nov 21`. */
export function formatMonthDay(date: string | number | Date): string {
  return formatAs(date, { month: "short", day: "numeric", timeZone: "UTC" });
}

/** A short date: `Aug 11`, or month and year if it is not in the year of `now`. */
export function formatDayNear(date: string | number | Date, now: number): string {
  const isOfThisYear = new Date(date).getUTCFullYear() === new Date(now).getUTCFullYear();
  return isOfThisYear ? formatMonthDay(date) : formatMonth(date);
}

/**
 * A date in another form; empty if invalid. Newer versions of Intl put a narrow no-break space before AM, older ones a
 * space: normalizes them.
 */
export function formatAs(date: string | number | Date, options: Intl.DateTimeFormatOptions): string {
  const time = new Date(date);
  if (Number.isNaN(time.getTime())) return "";
  return formatter(options).format(time).replaceAll("\u202f", " ");
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating a formatter costs a hundred times more than using it, and a page formats many dates. */
function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat("en-US", options);
  formatters.set(key, known);
  return known;
}

/** The median of some days (`2026-08-17`), the later of two; null if there are none. */
export function medianDay(days: readonly string[]): string | null {
  return days.toSorted()[Math.floor(days.length / 2)] ?? null;
}
