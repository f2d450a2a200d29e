import { useEffect, useRef } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { listNewsOfItems } from "./admin-item-queries.ts";

/** How long another admin's edit may stay unseen, in milliseconds. */
const ASK_EVERY = 4_000;
/** Edits are told by when they began, and may end a little later than others that began after them. */
const MARGIN = 3_000;

type Sinks = { put(...items: Item[]): void; reload(): Promise<void> };

/**
 * Keeps asking what others changed, while the page is in view: two small answers, which need no open connection. An
 * item that is gone shows by the count.
 */
export function useItemNews(items: readonly Item[] | undefined, { put, reload }: Sinks): void {
  const site = useSiteConfig();
  const known = useRef(items);
  known.current = items;
  useEffect(() => {
    let isAsking = false;
    async function ask() {
      const before = known.current;
      if (!before || isAsking || document.visibilityState !== "visible") return;
      isAsking = true;
      try {
        const client = await openSession(site);
        const { changed, count } = await listNewsOfItems(client, sinceLast(before));
        put(...changed);
        const ids = new Set([...before, ...changed].map(({ id }) => id));
        if (ids.size !== count && known.current === before) await reload();
      } catch {
        // The next question may be answered; what the admin does tells of a failure by itself.
      } finally {
        isAsking = false;
      }
    }
    const timer = setInterval(() => void ask(), ASK_EVERY);
    const askNow = () => void ask();
    document.addEventListener("visibilitychange", askNow);
    addEventListener("online", askNow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", askNow);
      removeEventListener("online", askNow);
    };
  }, [site, put, reload]);
}

/** By the database's own clock: the last edit or check that is known. */
function sinceLast(items: readonly Item[]): string {
  const times = items.flatMap(({ updated_at, values_checked_at }) => [
    Date.parse(updated_at),
    Date.parse(values_checked_at),
  ]);
  return new Date(Math.max(0, ...times) - MARGIN).toISOString();
}
