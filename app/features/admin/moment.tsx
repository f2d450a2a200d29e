import { formatDateTime } from "#domain/dates.ts";

/** A moment in the reader's zone; for what is rendered in the browser only. */
export function Moment({ at }: { at: string }) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return <time dateTime={at}>{formatDateTime(at, timeZone)}</time>;
}
