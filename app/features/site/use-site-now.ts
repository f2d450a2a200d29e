import { useEffect, useState } from "react";
import { siteNow } from "./site-clock.ts";

/** Timers cannot wait for months, and no page is open that long. */
const LONGEST = 24 * 60 * 60 * 1000;

/**
 * The site's time when the page was last looked at, or when one of these moments came since: from it, signed-in screens
 * compute ages and what is over.
 */
export function useSiteNow(moments: readonly number[] = []): number {
  const [now, setNow] = useState(siteNow);
  useEffect(() => {
    const look = () => setNow(siteNow());
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  const next = Math.min(...moments.filter((each) => each > now));
  useEffect(() => {
    const wait = next - siteNow();
    if (wait > LONGEST) return;
    const timer = setTimeout(() => setNow(siteNow()), wait + 1);
    return () => clearTimeout(timer);
  }, [next]);
  return now;
}
