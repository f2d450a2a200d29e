import { useEffect } from "react";
import { listKept } from "#app/features/browser-storage/kept.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/** Moves the trades that a visitor kept here into the history of the user who signs in, on whatever page. */
export function useVisitorTrades(): void {
  const site = useSiteConfig();
  const { session } = useSession();
  const userId = session?.user.id;
  // Passing the second factor issues a new token.
  const token = session?.access_token;
  useEffect(() => {
    if (!userId || !token || listKept("visitorTrade").length === 0) return;
    void Promise.all([openSession(site), import("#app/features/trade-history/move-visitor-trades.ts")])
      .then(([client, { moveVisitorTrades }]) => moveVisitorTrades(client, userId))
      // They stay in the browser.
      .catch(() => undefined);
  }, [site, userId, token]);
}
