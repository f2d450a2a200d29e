import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { openSession } from "./open-session.ts";
import type { SessionClient } from "./session-client.ts";

type Options = {
  /** The subject; a different one is read again. */
  of?: unknown;
  /** Keeps an earlier result if a later read fails. */
  isKept?: boolean;
  /** Reads nothing by itself as long as it is true. */
  waits?: boolean;
};

/**
 * Something this browser's session may read: read when first shown, and on request; the earlier result stays visible
 * meanwhile. `read` throws or returns "failed" on failure.
 */
export function useOwnRead<T>(
  read: (client: SessionClient) => Promise<T>,
  { of, isKept = false, waits = false }: Options = {},
) {
  const site = useSiteConfig();
  const [own, setOwn] = useState<T | "reading" | "failed">("reading");
  const latest = useRef(read);
  // Runs before the effect below and those of children, which read.
  useLayoutEffect(() => {
    latest.current = read;
  });
  const reads = useRef(0);
  const readAgain = useCallback(async () => {
    reads.current += 1;
    const number = reads.current;
    const answer = await openSession(site)
      .then((client) => latest.current(client))
      .catch(() => "failed" as const);
    // A result overtaken by a later read is outdated.
    if (number === reads.current)
      setOwn((before) => (isKept && answer === "failed" && before !== "reading" ? before : answer));
    return answer;
  }, [site, isKept]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of tells that it is another
  useEffect(() => {
    if (!waits) void readAgain();
  }, [readAgain, of, waits]);
  return [own, readAgain] as const;
}
