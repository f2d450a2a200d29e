const DAY = 24 * 60 * 60 * 1000;

/** Age in days from which each unit is used. */
const UNITS = [
  { from: 730, days: 365, name: "years" },
  { from: 365, days: 365, name: "year" },
  { from: 60, days: 30.44, name: "months" },
  { from: 30, days: 30.44, name: "month" },
  { from: 14, days: 7, name: "weeks" },
  { from: 2, days: 1, name: "days" },
] as const;

/** The day of a moment, counted from 1970, in UTC. */
export const dayOf = (moment: number): number => Math.floor(moment / DAY);

/**
 * How long ago something was, in whole days of UTC and coarser units: `today`, `yesterday`, `3 days ago`, `2 weeks
 * ago`, `3 months ago`, `1 year ago`. A date in the future, due to a wrong clock, is `today`.
 */
export function formatAge(date: string | number | Date, now: number): string {
  const days = dayOf(now) - dayOf(new Date(date).getTime());
  if (Number.isNaN(days)) return "";
  if (days < 1) return "today";
  if (days === 1) return "yesterday";
  const unit = UNITS.find(({ from }) => days >= from) ?? UNITS[5];
  return `${Math.max(1, Math.floor(days / unit.days))} ${unit.name} ago`;
}
