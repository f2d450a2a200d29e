import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** The first view comes first, and all that it asks for; in milliseconds. */
const BEGIN_AFTER = 5_000;

/**
 * Keeps an open page up with the catalogue while it is in view: its data is read again whenever the server tells that
 * something changed, and after a time without news.
 */
export function useLiveCatalogue(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let news: EventSource | undefined;
    let mayHaveMissed = false;
    function follow() {
      // A page out of view holds no connection, and can be kept as it is for Back.
      if (document.visibilityState !== "visible") {
        news?.close();
        news = undefined;
      } else if (!news) {
        news = new EventSource("/news");
        news.addEventListener("catalogue", () => void revalidate());
        news.onopen = () => {
          if (mayHaveMissed) void revalidate();
          mayHaveMissed = true;
        };
      }
    }
    const timer = setTimeout(() => {
      follow();
      document.addEventListener("visibilitychange", follow);
    }, BEGIN_AFTER);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", follow);
      news?.close();
    };
  }, [revalidate]);
}
