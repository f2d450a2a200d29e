/** A date as people read it, `Nov 21, 2026` (9.dates.01, P36); empty for what is no date. */
export function formatDate(date: string | number | Date, timeZone = "UTC"): string {
  return format(date, { dateStyle: "medium", timeZone });
}

/** A date with its time, `Nov 21, 2026, 10:43 AM`; empty for what is no date. */
export function formatDateTime(date: string | number | Date, timeZone = "UTC"): string {
  return format(date, { dateStyle: "medium", timeStyle: "short", timeZone });
}

/** A month of a chart's axis, `Nov 2026`. */
export function formatMonth(date: string | number | Date): string {
  return format(date, { month: "short", year: "numeric", timeZone: "UTC" });
}

/** A day of a chart's axis that spans weeks, `Nov 21`. */
export function formatMonthDay(date: string | number | Date): string {
  return format(date, { month: "short", day: "numeric", timeZone: "UTC" });
}

/** A day as it is said beside a figure: `Aug 11`, or its month and year where that is not the year of `now`. */
export function formatDayNear(date: string | number | Date, now: number): string {
  const isOfThisYear = new Date(date).getUTCFullYear() === new Date(now).getUTCFullYear();
  return isOfThisYear ? formatMonthDay(date) : formatMonth(date);
}

/** When a copy was made, in the reader's zone, `Nov 22, 14:05`. */
export function formatMoment(date: string | number | Date, timeZone?: string): string {
  return format(date, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
}

/** Newer versions of Intl part time and AM by a narrow no-break space, older ones by a space: one of them for all. */
function format(date: string | number | Date, options: Intl.DateTimeFormatOptions): string {
  const time = new Date(date);
  if (Number.isNaN(time.getTime())) return "";
  return formatter(options).format(time).replaceAll("\u202f", " ");
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter is a hundred times the cost of using it, and a page formats many dates. */
function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat("en-US", options);
  formatters.set(key, known);
  return known;
}

/** The day in the middle of some days (`2026-08-17`), the later one of two; null of none. */
export function medianDay(days: readonly string[]): string | null {
  return days.toSorted()[Math.floor(days.length / 2)] ?? null;
}
