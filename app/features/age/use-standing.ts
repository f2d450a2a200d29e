import { useCallback, useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { type OwnStanding, readStanding } from "./standing-queries.ts";

/** Where the signed-in person stands; null until it is known. Read again when the page is looked at again. */
export function useStanding(): { own: OwnStanding | null; refresh: () => Promise<OwnStanding | null> } {
  const site = useSiteConfig();
  const [own, setOwn] = useState<OwnStanding | null>(null);
  const refresh = useCallback(async () => {
    // What cannot be read refuses nothing: the database does.
    const read = await openSession(site)
      .then(readStanding)
      .catch(() => null);
    if (read) setOwn(read);
    return read;
  }, [site]);
  useEffect(() => {
    void refresh();
    const look = () => document.visibilityState === "visible" && void refresh();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [refresh]);
  return { own, refresh };
}
