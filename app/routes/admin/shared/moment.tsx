import { formatTime } from "#domain/chat/chat-time.ts";
import { formatDate, formatDateTime } from "#domain/text/dates.ts";

type MomentProps = {
  at: string;
  /** A moment that stands beside it: on the same day the time alone tells enough. */
  near?: string;
};

/** A moment in the reader's zone; for what is rendered in the browser only. */
export function Moment({ at, near }: MomentProps) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const isNear = near !== undefined && formatDate(at, timeZone) === formatDate(near, timeZone);
  return <time dateTime={at}>{isNear ? formatTime(at, timeZone) : formatDateTime(at, timeZone)}</time>;
}
