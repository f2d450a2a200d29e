import { formatTime } from "#domain/chat/chat-time.ts";
import { formatDate, formatDateTime, READERS_ZONE } from "#domain/text/dates.ts";

type MomentProps = {
  at: string;
  /** A time shown beside it: on the same day, the time of day is enough. */
  near?: string;
  className?: string;
};

/** A time in the reader's time zone; for content rendered in the browser only. */
export function Moment({ at, near, className }: MomentProps) {
  const isNear = near !== undefined && formatDate(at, READERS_ZONE) === formatDate(near, READERS_ZONE);
  return (
    <time dateTime={at} className={className}>
      {isNear ? formatTime(at, READERS_ZONE) : formatDateTime(at, READERS_ZONE)}
    </time>
  );
}
