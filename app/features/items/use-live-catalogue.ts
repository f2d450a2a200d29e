import { type RefObject, useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

/** The first view and everything it loads come first; in milliseconds. */
const BEGIN_AFTER = 5_000;
/** How often a refused connection is tried again, in milliseconds. */
const RETRY_EVERY = 30_000;
/** `EventSource.CLOSED`. */
const CLOSED = 2;

/**
 * Reloads an open page's data whenever the catalogue changed since `readAt`, by the server's clock; null if nothing could
 * be read.
 */
export function useLiveCatalogue(readAt: number | null): void {
  const { revalidate } = useRevalidator();
  const since = useRef(readAt);
  useEffect(() => {
    since.current = readAt;
  }, [readAt]);
  useEffect(() => followCatalogue(since, revalidate), [revalidate]);
}

/**
 * Calls back, while the page is visible, whenever the server reports a change, and on connecting or reconnecting if
 * something changed since the data was read. `since` is when that was, by the server's clock.
 */
export function followCatalogue(since: RefObject<number | null>, changed: () => unknown): () => void {
  let stream: EventSource | undefined;
  function follow() {
    // A hidden page holds no connection, so that it can enter the back/forward cache.
    if (document.hidden) {
      stream?.close();
      stream = undefined;
    } else if ((stream?.readyState ?? CLOSED) === CLOSED) {
      // On a lost connection the browser reconnects to this address, and receives what changed meanwhile. It does not
      // after an answer with an error, such as a proxy's during a restart.
      stream = new EventSource(`/live?since=${since.current ?? 0}`);
      stream.addEventListener("catalogue", changed);
    }
  }
  function keepFollowing() {
    follow();
    document.addEventListener("visibilitychange", follow);
    timer = setTimeout(keepFollowing, RETRY_EVERY);
  }
  let timer = setTimeout(keepFollowing, BEGIN_AFTER);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", follow);
    stream?.close();
  };
}
