import { type RefObject, useEffect, useRef, useState } from "react";

/** How many rows are rendered at first, and added when the end comes near. */
const STEP = 120;

/**
 * The beginning of a long list, which grows as its end scrolls into view, so that searching a thousand rows costs no
 * more than a hundred. Put `end` on an element after the last row; a new `reset` starts over, with `atLeast` this many
 * rows.
 */
export function useGrowingList<T>(
  items: readonly T[],
  reset: unknown,
  atLeast = 0,
): { rows: readonly T[]; end: RefObject<HTMLDivElement | null> } {
  const [limit, setLimit] = useState(STEP);
  const [last, setLast] = useState(reset);
  const end = useRef<HTMLDivElement>(null);
  if (last !== reset) {
    setLast(reset);
    setLimit(STEP);
  }
  const hasMore = items.length > limit;
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked again after each step, since the end may still be near
  useEffect(() => {
    if (!hasMore || !end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setLimit((now) => now + STEP),
      { rootMargin: "1500px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, limit]);
  return { rows: hasMore ? items.slice(0, Math.max(limit, atLeast)) : items, end };
}
