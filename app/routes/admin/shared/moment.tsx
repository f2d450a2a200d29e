import { formatTime } from "#domain/chat/chat-time.ts";
import { formatDate, formatDateTime } from "#domain/text/dates.ts";

type MomentProps = {
  at: string;
  /** A time shown beside it: on the same day, the time of day is enough. */
  near?: string;
  className?: string;
};

/** Asking for it costs as much as formatting a date, and a desk shows hundreds. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time in the reader's time zone; for content rendered in the browser only. */
export function Moment({ at, near, className }: MomentProps) {
  const isNear = near !== undefined && formatDate(at, ZONE) === formatDate(near, ZONE);
  return (
    <time dateTime={at} className={className}>
      {isNear ? formatTime(at, ZONE) : formatDateTime(at, ZONE)}
    </time>
  );
}
