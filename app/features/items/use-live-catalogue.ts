import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

/** The first view and everything it loads come first; in milliseconds. */
const BEGIN_AFTER = 5_000;
/** Then a connection that the server refused is tried again, in milliseconds. */
const RETRY_AFTER = 30_000;

/**
 * Keeps an open page up to date while it is visible: its data is reloaded whenever the server reports a change, and on
 * connecting or reconnecting if something changed since the data was read. `readAt` is when that was, by the server's
 * clock; null if nothing could be read.
 */
export function useLiveCatalogue(readAt: number | null): void {
  const { revalidate } = useRevalidator();
  const since = useRef(readAt);
  useEffect(() => {
    since.current = readAt;
  }, [readAt]);
  useEffect(() => {
    let stream: EventSource | undefined;
    function follow() {
      // A hidden page holds no connection, so that it can enter the back/forward cache.
      if (document.visibilityState !== "visible") {
        stream?.close();
        stream = undefined;
      } else if (!stream) {
        // On a lost connection the browser reconnects to this address, and receives what changed meanwhile.
        stream = new EventSource(`/live?since=${since.current ?? 0}`);
        stream.addEventListener("catalogue", () => void revalidate());
        stream.addEventListener("error", retryRefused);
      }
    }
    /** Unlike a lost connection, the browser does not retry an answer of an error, such as a proxy's during a restart. */
    function retryRefused() {
      if (stream?.readyState !== EventSource.CLOSED) return;
      stream = undefined;
      timer = setTimeout(follow, RETRY_AFTER);
    }
    let timer = setTimeout(() => {
      follow();
      document.addEventListener("visibilitychange", follow);
    }, BEGIN_AFTER);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", follow);
      stream?.close();
    };
  }, [revalidate]);
}
