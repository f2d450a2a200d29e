import type { ReactNode } from "react";

type ScrollRegionProps = { label: string; className?: string; children: ReactNode };

/** Content that may be larger than its box and scrolls inside it, also by keyboard. */
export function ScrollRegion({ label, className = "", children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll it
    <section aria-label={label} tabIndex={0} className={`overflow-auto ${className}`}>
      {children}
    </section>
  );
}
