import { type RefObject, useLayoutEffect } from "react";
import { lastPressed } from "./toast-store.ts";

/** What must stay pressable: what sticks to an edge of the window on purpose, and the buttons of an open dialog. */
const STICKING = "[data-sticking], .dialog .form-actions";
/** The gap between a notice and what it avoids, in pixels. */
const GAP = 8;

/**
 * Keeps a notice visible and off what was just pressed, what is focused, and what sticks to the window. If it would
 * cover one of them at its usual edge, or be hidden by an on-screen keyboard, it moves to the other edge; if both are
 * taken, right above what sticks there, or below what was pressed.
 */
export function useMoveOffPressed(notice: RefObject<HTMLElement | null>): void {
  // Before it is painted: otherwise it would jump from one edge to the other under a finger.
  useLayoutEffect(() => {
    const toast = notice.current;
    const host = toast?.closest<HTMLElement>("[data-slot=toast-host]");
    if (!toast || !host) return;
    const clear = () => place(host, toast);
    // Its text determines its height.
    const watcher = new ResizeObserver(clear);
    watcher.observe(host);
    // A dialog that opens takes the host along; its buttons may come later than its focus, once its form was read.
    const content = new MutationObserver(clear);
    const followDialog = () => {
      content.disconnect();
      const dialog = host.closest("dialog");
      if (dialog) content.observe(dialog, { childList: true, subtree: true });
      clear();
    };
    followDialog();
    // It is shown again wherever it is moved (toast-place.ts).
    host.addEventListener("toggle", followDialog);
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
      content.disconnect();
      host.removeEventListener("toggle", followDialog);
      document.removeEventListener("focusin", uncover);
      seen.removeEventListener("resize", clear);
    };
  }, [notice]);
}

function place(host: HTMLElement, toast: Element): void {
  // Nothing around a modal dialog can be pressed.
  const dialog = host.closest("dialog");
  const pressed = reachable(lastPressed(), dialog);
  const sticking = [...(dialog ?? document).querySelectorAll(STICKING)];
  const others = [pressed, reachable(focusedControl(), dialog), ...sticking];
  const isClear = () =>
    isSeen(host) && !others.some((other) => other && !host.contains(other) && covers(toast, other));
  host.style.removeProperty("--toast-top");
  delete host.dataset.side;
  if (isClear()) return;
  host.dataset.side = "other";
  if (isClear()) return;
  const { height } = toast.getBoundingClientRect();
  const tops = sticking.map((each) => each.getBoundingClientRect().top - GAP - height);
  if (pressed) tops.push(pressed.getBoundingClientRect().bottom + GAP);
  for (const top of tops) {
    host.dataset.side = "between";
    host.style.setProperty("--toast-top", `${top}px`);
    if (isClear()) return;
  }
}

const reachable = (element: Element | null, dialog: Element | null) =>
  dialog && !dialog.contains(element) ? null : element;

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
