import { formatAge } from "#domain/text/age.ts";
import { isStaleCheck } from "#domain/values/stale-check.ts";

type CheckNoticeProps = {
  /** The median day of the last checks, `2026-08-17`; null where nothing is listed. */
  median: string | null;
  /** How many values are listed. */
  count: number;
  now: number;
  /** What is listed, where `these values` would be others than meant. */
  values?: string;
};

/** What a list of values says at its top when most of it is old (P53); nothing while its median check is of this week. */
export function CheckNotice({ median, count, now, values = "these values" }: CheckNoticeProps) {
  if (median === null || !isStaleCheck(median, now)) return null;
  const age = formatAge(median, now);
  return count === 1
    ? `This value was last checked ${age}.`
    : `Half of ${values} were last checked ${age} or earlier.`;
}
