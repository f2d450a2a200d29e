import { useEffect, useRef, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/**
 * Does one thing at a time as the person who uses this browser. A failure is shown with the service's own words
 * (8.error.10), and told by `false`.
 */
export function useAct() {
  const site = useSiteConfig();
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  // What says that the connection is lost must be here before it is.
  useEffect(() => void import("#app/ui/toast-viewport.tsx").catch(() => undefined), []);

  async function act(work: (client: SessionClient) => PromiseLike<void>): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    try {
      await work(await openSession(site));
      return true;
    } catch (error) {
      showFailure(error as Error);
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }

  return { isBusy, act };
}
