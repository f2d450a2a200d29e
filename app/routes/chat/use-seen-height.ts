import { type RefObject, useEffect } from "react";

/** A phone with its keyboard open, in pixels: lower than any upright phone without one. */
const LOW = 480;

/**
 * Tells the room's styles the height and offset of the visual viewport. Most browsers shrink the page when the keyboard
 * opens (`interactive-widget` in the root); Safari on iPhones only shrinks the visible part.
 */
export function useSeenHeight(room: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const tell = () => {
      const element = room.current;
      if (!element) return;
      // Zooming in also shrinks the visual viewport, without a keyboard.
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
