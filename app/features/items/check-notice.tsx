import { formatAge } from "#domain/text/age.ts";
import { isStaleCheck } from "#domain/values/stale-check.ts";

type CheckNoticeProps = {
  /** The median day of the last checks, such as `2026-08-17`; null if nothing is listed. */
  median: string | null;
  /** The number of values listed. */
  count: number;
  now: number;
  /** What is listed, if `these values` would be ambiguous. */
  values?: string;
};

/** A notice above a list of values whose median check is older than a week (P53); else nothing. */
export function CheckNotice({ median, count, now, values = "these values" }: CheckNoticeProps) {
  if (median === null || !isStaleCheck(median, now)) return null;
  const age = formatAge(median, now);
  return count === 1
    ? `This value was last checked ${age}.`
    : `Half of ${values} were last checked ${age} or earlier.`;
}
