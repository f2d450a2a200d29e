import { useEffect, useState } from "react";
import { askForAdmin } from "#app/features/session/ask-for-admin.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/** How long somebody who lost the role may go on looking, in milliseconds; each write is refused at once anyway. */
const ASK_EVERY = 10_000;

/**
 * Keeps asking whether this person is still an admin, while the page is in view and whenever it comes back into view.
 * True when the first question got no answer.
 */
export function useRoleWatch(userId: string): boolean {
  const site = useSiteConfig();
  const [isUnanswered, setUnanswered] = useState(false);
  useEffect(() => {
    async function ask() {
      const answered = await openSession(site)
        .then((client) => askForAdmin(client, userId))
        .catch(() => false);
      setUnanswered(!answered);
    }
    const askInView = () => document.visibilityState === "visible" && void ask();
    askInView();
    const timer = setInterval(askInView, ASK_EVERY);
    document.addEventListener("visibilitychange", askInView);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", askInView);
    };
  }, [site, userId]);
  return isUnanswered;
}
