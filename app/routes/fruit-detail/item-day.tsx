import { useHydrated } from "#app/ui/use-hydrated.ts";
import { formatDate, formatDateTime, READERS_ZONE } from "#domain/text/dates.ts";

/** The day of an item's data, in UTC like its chart and insights (P36), with the reader's own time as its tooltip. */
export function ItemDay({ date }: { date: string }) {
  return (
    <time dateTime={date} title={useHydrated() ? formatDateTime(date, READERS_ZONE) : undefined}>
      {formatDate(date, "UTC")}
    </time>
  );
}
