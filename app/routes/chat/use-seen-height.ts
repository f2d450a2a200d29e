import { type RefObject, useEffect } from "react";

/** A phone with its keyboard open, in pixels: lower than any phone that is held upright without. */
const LOW = 480;

/**
 * Tells the room's styles how much of the window is seen, and where it begins. Most browsers make the page itself lower
 * when the keyboard opens (`interactive-widget` in the root); Safari on iPhones only shows less of it.
 */
export function useSeenHeight(room: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const tell = () => {
      const element = room.current;
      if (!element) return;
      // Whoever zooms in sees less as well, and has not opened a keyboard.
      element.toggleAttribute("data-low", seen.height * seen.scale < LOW);
      element.style.setProperty("--seen-height", `${seen.height}px`);
      element.style.setProperty("--seen-top", `${seen.offsetTop}px`);
    };
    tell();
    seen.addEventListener("resize", tell);
    seen.addEventListener("scroll", tell);
    return () => {
      seen.removeEventListener("resize", tell);
      seen.removeEventListener("scroll", tell);
    };
  }, [room]);
}
