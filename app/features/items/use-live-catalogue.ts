import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

/** The first view comes first, and all that it asks for; in milliseconds. */
const BEGIN_AFTER = 5_000;

/**
 * Keeps an open page up with the catalogue while it is in view: its data is read again whenever the server tells that
 * something changed, and when it listens at last, or again, and something has changed since the data was read.
 * `readAt` is when that was, by the server's clock; null when nothing could be read.
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
      // A page out of view holds no connection, and can be kept as it is for Back.
      if (document.visibilityState !== "visible") {
        stream?.close();
        stream = undefined;
      } else if (!stream) {
        // Where the connection breaks, the browser asks again by this address, and is told of what changed meanwhile.
        stream = new EventSource(`/live?since=${since.current ?? 0}`);
        stream.addEventListener("catalogue", () => void revalidate());
      }
    }
    const timer = setTimeout(() => {
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
