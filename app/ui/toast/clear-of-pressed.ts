import { type RefObject, useLayoutEffect } from "react";
import { lastPressed } from "./toast-store.ts";

/** Elements that stick to an edge of the window on purpose: they must stay pressable. */
const STICKING = "[data-sticking]";
/** The gap between a notice and what it avoids, in pixels. */
const GAP = 8;

/**
 * Keeps a notice visible and off what was just pressed, what is focused, and what sticks to the window. If it would
 * cover one of them at its usual edge, or be hidden by an on-screen keyboard, it moves to the other edge; if both are
 * taken, right below what was pressed.
 */
export function useMoveOffPressed(notice: RefObject<HTMLElement | null>): void {
  // Before it is painted: otherwise it would jump from one edge to the other under a finger.
  useLayoutEffect(() => {
    const toast = notice.current;
    const host = toast?.closest<HTMLElement>("[data-slot=toast-host]");
    if (!toast || !host) return;
    const clear = () => place(host, toast);
    clear();
    // Its text determines its height.
    const watcher = new ResizeObserver(clear);
    watcher.observe(host);
    // An on-screen keyboard changes only the visual viewport.
    const seen = window.visualViewport ?? window;
    seen.addEventListener("resize", clear);
    // Once the page has scrolled to the focused element.
    const uncover = () =>
      requestAnimationFrame(() => {
        const focused = focusedControl();
        if (focused && !host.contains(focused) && covers(toast, focused)) clear();
      });
    document.addEventListener("focusin", uncover);
    return () => {
      watcher.disconnect();
      document.removeEventListener("focusin", uncover);
      seen.removeEventListener("resize", clear);
    };
  }, [notice]);
}

function place(host: HTMLElement, toast: Element): void {
  const pressed = lastPressed();
  host.style.removeProperty("--toast-top");
  const others = [pressed, focusedControl(), ...document.querySelectorAll(STICKING)];
  const isClear = () =>
    isSeen(host) && !others.some((other) => other && !host.contains(other) && covers(toast, other));
  delete host.dataset.side;
  if (isClear()) return;
  host.dataset.side = "other";
  if (isClear() || !pressed) return;
  host.dataset.side = "below";
  host.style.setProperty("--toast-top", `${pressed.getBoundingClientRect().bottom + GAP}px`);
}

/** A new page's `main` is focused too, but lies under everything. */
function focusedControl(): Element | null {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && focused.tabIndex >= 0 ? focused : null;
}

function isSeen(host: Element): boolean {
  const { bottom } = host.getBoundingClientRect();
  const { offsetTop, height } = window.visualViewport ?? { offsetTop: 0, height: innerHeight };
  return bottom <= offsetTop + height;
}

function covers(toast: Element, other: Element): boolean {
  if (other.contains(toast)) return false;
  const [above, below] = [toast.getBoundingClientRect(), other.getBoundingClientRect()];
  return (
    above.left < below.right &&
    below.left < above.right &&
    above.top < below.bottom &&
    below.top < above.bottom
  );
}
