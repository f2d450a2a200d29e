import { useContext, useEffect } from "react";
import { UNSAFE_DataRouterStateContext as RouterState, useLocation } from "react-router";
import { readKeptJson } from "#app/features/browser-storage/kept.ts";

/** Whoever does one of these has found a place of their own. */
const ACTS = ["wheel", "touchmove", "pointerdown", "keydown"];

/**
 * Back and a reload return to where the reader was, also on a page that is put together in the browser: when the router
 * scrolls, it is still too short. The position is repeated as the page grows, until the reader does something.
 */
export function useLateScroll(): void {
  const { key } = useLocation();
  // Nothing else tells which position the router restores. It is false after a reload, where a script scrolls.
  const restored = useContext(RouterState)?.restoreScrollPosition;
  useEffect(() => {
    const positions = readKeptJson("scrollPositions") as Record<string, number> | null;
    const top = restored === false ? positions?.[key] : restored;
    if (!top) return;
    const watcher = new ResizeObserver(() => scrollTo(0, top));
    const stop = () => {
      watcher.disconnect();
      for (const act of ACTS) removeEventListener(act, stop);
    };
    for (const act of ACTS) addEventListener(act, stop, { passive: true });
    watcher.observe(document.body);
    return stop;
  }, [restored, key]);
}
