import { useEffect, useState } from "react";

/**
 * The time for telling ages, in milliseconds: on the server and while the page comes alive the time its data was
 * read at, so that both agree; then the reader's own clock, since a page may have been kept for months, and a tab
 * comes into view after days. One that is slow would take old checks for today's: it is later than the data was read at.
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
