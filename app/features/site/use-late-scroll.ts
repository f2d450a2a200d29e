import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router";
import { readKeptJson } from "#app/features/browser-storage/kept.ts";

/** Whoever does one of these has found a place of their own. */
const ACTS = ["wheel", "touchmove", "pointerdown", "keydown"];

/** Where the reader was on the pages of this visit. The router's own list can be read after a reload only. */
const left = new Map<string, number>();

/**
 * Back and a reload return to where the reader was, also on a page that is put together in the browser: when the router
 * scrolls, it is still too short. The position is repeated as the page grows, until the reader does something.
 */
export function useLateScroll(): void {
  const { key } = useLocation();
  useLayoutEffect(() => {
    // As last scrolled to: at the end, the next page may already stand above this one and have moved it.
    let top = scrollY;
    const follow = () => {
      top = scrollY;
    };
    addEventListener("scroll", follow, { passive: true });
    return () => {
      removeEventListener("scroll", follow);
      left.set(key, top);
    };
  }, [key]);
  useEffect(() => {
    const before = readKeptJson("scrollPositions") as Record<string, number> | null;
    const top = left.get(key) ?? before?.[key];
    if (!top) return;
    const watcher = new ResizeObserver(() => scrollTo(0, top));
    const stop = () => {
      watcher.disconnect();
      for (const act of ACTS) removeEventListener(act, stop);
    };
    for (const act of ACTS) addEventListener(act, stop, { passive: true });
    watcher.observe(document.body);
    return stop;
  }, [key]);
}
