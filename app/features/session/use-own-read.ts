import { useCallback, useEffect, useRef, useState } from "react";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { openSession } from "./open-session.ts";
import type { SessionClient } from "./session-client.ts";

/**
 * Something that this browser's session may read, read once it is shown, and how to read it anew; what was read stays in sight
 * meanwhile. `read` throws, or answers "failed", where it cannot be had; with `isKept` what was read before stays then, too.
 */
export function useOwnRead<T>(read: (client: SessionClient) => Promise<T>, { isKept = false } = {}) {
  const site = useSiteConfig();
  const [own, setOwn] = useState<T | "reading" | "failed">("reading");
  const latest = useRef(read);
  latest.current = read;
  const reads = useRef(0);
  const readAgain = useCallback(async () => {
    reads.current += 1;
    const number = reads.current;
    const answer = await openSession(site)
      .then((client) => latest.current(client))
      .catch(() => "failed" as const);
    // An answer that a later read overtook tells of what was before.
    if (number === reads.current) setOwn((before) => (isKept && answer === "failed" ? before : answer));
    return answer;
  }, [site, isKept]);
  useEffect(() => void readAgain(), [readAgain]);
  return [own, readAgain] as const;
}
