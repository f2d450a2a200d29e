import { useCallback, useEffect, useRef, useState } from "react";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { openSession } from "./open-session.ts";
import type { SessionClient } from "./session-client.ts";

type Options = {
  /** What it is of: read anew when that is another. */
  of?: unknown;
  /** What was read before stays where it cannot be had now. */
  isKept?: boolean;
};

/**
 * Something that this browser's session may read, read once it is shown, and how to read it anew; what was read stays in sight
 * meanwhile. `read` throws, or answers "failed", where it cannot be had.
 */
export function useOwnRead<T>(
  read: (client: SessionClient) => Promise<T>,
  { of, isKept = false }: Options = {},
) {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: of tells that it is another
  useEffect(() => void readAgain(), [readAgain, of]);
  return [own, readAgain] as const;
}
