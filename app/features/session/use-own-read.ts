import { useCallback, useEffect, useRef, useState } from "react";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { openSession } from "./open-session.ts";
import type { SessionClient } from "./session-client.ts";

/**
 * Something that this browser's session may read, read once it is shown, and how to read it anew; what was read stays in sight
 * meanwhile. `read` throws, or answers "failed", where it cannot be had.
 */
export function useOwnRead<T>(read: (client: SessionClient) => Promise<T>) {
  const site = useSiteConfig();
  const [own, setOwn] = useState<T | "reading" | "failed">("reading");
  const latest = useRef(read);
  latest.current = read;
  const readAgain = useCallback(async () => {
    const answer = openSession(site).then((client) => latest.current(client));
    setOwn(await answer.catch(() => "failed" as const));
  }, [site]);
  useEffect(() => void readAgain(), [readAgain]);
  return [own, readAgain] as const;
}
