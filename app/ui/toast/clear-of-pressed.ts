import { type RefObject, useLayoutEffect } from "react";
import { lastPressed } from "./toast-store.ts";

/** What sticks to an edge of the window on purpose: others must stay pressable there. */
const STICKING = "[data-sticking]";
/** Between a notice and what it stands clear of, in pixels. */
const GAP = 8;

/**
 * Keeps a notice in sight, and off what was just pressed, what is focused, and what sticks to the window: one that would
 * cover one of them at its usual edge, or stand behind a keyboard on the screen, stands at the other, and where both are
 * taken, right below what was pressed.
 */
export function useClearOfPressed(notice: RefObject<HTMLElement | null>): void {
  // Before it is seen: from one edge to the other it would move under a finger.
  useLayoutEffect(() => {
    const toast = notice.current;
    const host = toast?.closest<HTMLElement>("[data-slot=toast-host]");
    if (!toast || !host) return;
    const clear = () => place(host, toast);
    clear();
    // Its words decide how high it is.
    const watcher = new ResizeObserver(clear);
    watcher.observe(host);
    // Where a keyboard lies over the window, only what is seen of it changes.
    const seen = window.visualViewport ?? window;
    seen.addEventListener("resize", clear);
    // Once the page has been scrolled to what has the focus now.
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

/** What only begins to be read, as a new page, has the focus too, and lies under everything. */
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
