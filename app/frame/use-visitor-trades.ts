import { useEffect } from "react";
import { listKept } from "#app/features/browser-storage/kept.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/** Brings the trades that a visitor kept here into the history of whoever signs in, on whatever page that is. */
export function useVisitorTrades(): void {
  const site = useSiteConfig();
  const { session } = useSession();
  const userId = session?.user.id;
  // A second factor comes with a new token.
  const token = session?.access_token;
  useEffect(() => {
    if (!userId || !token || listKept("visitorTrade").length === 0) return;
    void Promise.all([openSession(site), import("#app/features/trade-history/move-visitor-trades.ts")])
      .then(([client, { moveVisitorTrades }]) => moveVisitorTrades(client, userId))
      // They stay where they are.
      .catch(() => undefined);
  }, [site, userId, token]);
}
