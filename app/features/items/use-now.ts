import { useEffect, useState } from "react";

/**
 * The time from which ages are computed, in milliseconds. On the server and during hydration it is the time the data was
 * read, so that both render the same; then the device's clock, since a page may have been cached for months and a tab
 * may be opened again after days. It never goes below `readAt`, so that a slow clock does not make old checks look like
 * today's.
 */
export function useNow(readAt: number): number {
  const [now, setNow] = useState(readAt);
  useEffect(() => {
    const look = () => setNow((read) => Math.max(read, Date.now()));
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return now;
}
