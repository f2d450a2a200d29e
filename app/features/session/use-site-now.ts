import { useEffect, useState } from "react";
import { siteNow } from "./site-clock.ts";

/** The site's time when the page was last looked at, from which signed-in screens compute ages. */
export function useSiteNow(): number {
  const [now, setNow] = useState(siteNow);
  useEffect(() => {
    const look = () => setNow(siteNow());
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return now;
}
