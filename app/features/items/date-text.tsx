import { useEffect, useState } from "react";
import { formatDate } from "#domain/text/dates.ts";

/**
 * A date: in UTC on the server and during hydration, then in the reader's time zone (P36). Its machine-readable form is
 * the exact time.
 */
export function DateText({ date }: { date: string }) {
  const [zone, setZone] = useState("UTC");
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return <time dateTime={date}>{formatDate(date, zone)}</time>;
}
