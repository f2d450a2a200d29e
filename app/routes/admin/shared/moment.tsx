import { formatTime } from "#domain/chat/chat-time.ts";
import { formatDate, formatDateTime } from "#domain/text/dates.ts";

type MomentProps = {
  at: string;
  /** A time shown beside it: on the same day, the time of day is enough. */
  near?: string;
  className?: string;
};

/** A time in the reader's time zone; for content rendered in the browser only. */
export function Moment({ at, near, className }: MomentProps) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const isNear = near !== undefined && formatDate(at, timeZone) === formatDate(near, timeZone);
  return (
    <time dateTime={at} className={className}>
      {isNear ? formatTime(at, timeZone) : formatDateTime(at, timeZone)}
    </time>
  );
}
