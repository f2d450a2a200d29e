import { useEffect, useState } from "react";
import { dayOf } from "#domain/text/age.ts";

/**
 * The time from which ages are computed, in milliseconds. On the server and during hydration it is the time the data was
 * read, so that both render the same; then the device's clock, since a page may have been cached for months and a tab
 * may be opened again after days, without what that clock is known to be off. It never goes below `readAt`, so that a
 * slow clock does not make old checks look like today's.
 */
export function useNow(readAt: number): number {
  const [now, setNow] = useState(readAt);
  useEffect(() => {
    const look = () =>
      setNow((read) => {
        ahead ??= findAhead(read);
        return Math.max(read, Date.now() - ahead);
      });
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return now;
}

let ahead: number | undefined;

/**
 * How far the device's clock is ahead of the site's. The server renders every page again each day, so what it just sent
 * was read today, within the minute that it may take to arrive and run; a copy on the device may be of any day.
 */
export function findAhead(readAt: number): number {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isSent = visit?.transferSize && !document.documentElement.dataset.kept;
  return isSent && dayOf(Date.now() - 60_000) !== dayOf(readAt) ? Date.now() - readAt : 0;
}
