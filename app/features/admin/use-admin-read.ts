import { useCallback, useEffect, useRef, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

export type AdminRead<T> = {
  /** Undefined until it was read once; what was read last stays while it is read again. */
  data: T | undefined;
  /** The last read failed. */
  hasFailed: boolean;
  /** Reads again and resolves when that is shown; never rejects. */
  reload(): Promise<void>;
};

/**
 * What a panel shows, read with the session of this browser. `read` throws where the database refuses, and keeps its
 * identity for as long as it reads the same; it is read again when `news` changes.
 */
export function useAdminRead<T>(
  read: (client: SessionClient) => Promise<T>,
  news?: string | number,
): AdminRead<T> {
  const site = useSiteConfig();
  const [state, setState] = useState<{ data?: T; hasFailed: boolean }>({ hasFailed: false });
  const latest = useRef({ turn: 0, reading: Promise.resolve() });
  const reload = useCallback(() => {
    const turn = latest.current.turn + 1;
    const reading = openSession(site)
      .then(read)
      .then(
        (data) => ({ data }),
        () => null,
      )
      .then((result) => {
        // An answer that was overtaken by a later question is old news.
        if (turn !== latest.current.turn) return latest.current.reading;
        setState((before) => (result ? { ...result, hasFailed: false } : { ...before, hasFailed: true }));
      });
    latest.current = { turn, reading };
    return reading;
  }, [site, read]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: news is why it reads again
  useEffect(() => {
    void reload();
    return () => {
      latest.current = { turn: latest.current.turn + 1, reading: Promise.resolve() };
    };
  }, [reload, news]);
  return { data: state.data, hasFailed: state.hasFailed, reload };
}
