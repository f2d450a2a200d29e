import { formatDate, type Zone } from "../text/dates.ts";

/** A time of day such as `10:43 AM` (P36). */
export function formatTime(date: string | number | Date, timeZone: Zone): string {
  return timeFormat(timeZone).format(new Date(date)).replaceAll("\u202f", " ");
}

/** A message's day relative to the reader's: `Today`, `Yesterday`, else `Nov 19, 2026`. */
export function formatDay(date: string | number | Date, now: number, timeZone: Zone): string {
  const day = formatDate(date, timeZone);
  if (day === formatDate(now, timeZone)) return "Today";
  return day === formatDate(dayBefore(now, timeZone), timeZone) ? "Yesterday" : day;
}

const HOUR = 60 * 60 * 1000;

/** A time on the previous day, even if days have 23 or 25 hours. */
function dayBefore(now: number, timeZone: Zone): number {
  const hoursAgo = (hours: number) => now - hours * HOUR;
  return formatDate(hoursAgo(23), timeZone) === formatDate(now, timeZone) ? hoursAgo(25) : hoursAgo(23);
}

const formats = new Map<Zone, Intl.DateTimeFormat>();

function timeFormat(timeZone: Zone): Intl.DateTimeFormat {
  const known = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone });
  formats.set(timeZone, known);
  return known;
}
