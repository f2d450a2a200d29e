import { useHydrated } from "#app/ui/use-hydrated.ts";
import { formatDate, READERS_ZONE } from "#domain/text/dates.ts";

/**
 * A date: in UTC on the server and during hydration, then in the reader's time zone (P36). Its machine-readable form is
 * the exact time.
 */
export function DateText({ date }: { date: string }) {
  const zone = useHydrated() ? READERS_ZONE : "UTC";
  return <time dateTime={date}>{formatDate(date, zone)}</time>;
}
