import { type RefObject, useEffect } from "react";

const PRESSABLE = "button, a[href], input, select, textarea, summary";

/** What was pressed last, by pointer or key, since focus has moved on by the time that a notice comes. */
let pressed: Element | null = null;

/**
 * Keeps notices off what was just pressed and what is focused: a notice that would cover one of them at the foot of the
 * screen stands at its head.
 */
export function useClearOfPressed(host: RefObject<HTMLElement | null>, notice: number | undefined): void {
  useEffect(() => {
    const remember = ({ target }: Event) => {
      const element = target as Element;
      if (!host.current?.contains(element)) pressed = element.closest(PRESSABLE);
    };
    addEventListener("click", remember, true);
    return () => removeEventListener("click", remember, true);
  }, [host]);

  useEffect(() => {
    const element = host.current;
    if (!element || notice === undefined) return;
    const place = () => {
      delete element.dataset.side;
      if (covers(element, pressed) || covers(element, document.activeElement)) element.dataset.side = "top";
    };
    // The notice's own code may still be on its way, and its words decide how high it is.
    const watcher = new ResizeObserver(place);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [host, notice]);
}

function covers(host: Element, other: Element | null): boolean {
  if (!other || other === document.body || host.contains(other)) return false;
  const toast = host.querySelector("[data-slot=toast]");
  if (!toast) return false;
  const [above, below] = [toast.getBoundingClientRect(), other.getBoundingClientRect()];
  return (
    above.left < below.right &&
    below.left < above.right &&
    above.top < below.bottom &&
    below.top < above.bottom
  );
}
