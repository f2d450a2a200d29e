const WEEK = 7 * 24 * 60 * 60 * 1000;

/** Whether a check is so old that its result may no longer hold (P53): more than a week. */
export function isStaleCheck(checked: string | number, now: number): boolean {
  return now - new Date(checked).getTime() > WEEK;
}
