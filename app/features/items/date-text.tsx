import { useEffect, useState } from "react";
import { formatDate } from "#domain/text/dates.ts";

/**
 * A date: of UTC from the server and while the page comes alive, then of the reader's own zone (P36). Its
 * machine-readable form is the moment itself.
 */
export function DateText({ date }: { date: string }) {
  const [zone, setZone] = useState("UTC");
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return <time dateTime={date}>{formatDate(date, zone)}</time>;
}
