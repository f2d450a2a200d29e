import type { ReactNode } from "react";
import { type Rarity, rarityStyle } from "#domain/items/rarity.ts";
import { titled } from "#domain/text/words.ts";

/** Each rarity has a signal flag whose pattern tells it without color: plain, halved, crossed, diamond, saltire. */
const FLAGS: Record<Rarity, ReactNode> = {
  common: <path d="M2 3h10v8H2z" fillOpacity=".35" />,
  uncommon: <path d="M7 3h5v8H7z" />,
  rare: <path d="M5.8 3h2.4v2.8H12v2.4H8.2V11H5.8V8.2H2V5.8h3.8z" />,
  legendary: <path d="m7 3 5 4-5 4-5-4z" />,
  mythical: <path d="M2 3h2.2L7 5.3 9.8 3H12v1.6L9 7l3 2.4V11H9.8L7 8.7 4.2 11H2V9.4L5 7 2 4.6z" />,
};

/** A rarity as flag, word and color; an unknown one looks like common and keeps its word (4.style.01, .02). */
export function RarityBadge({ rarity }: { rarity: string | null | undefined }) {
  const style = rarityStyle(rarity);
  return (
    <span data-slot="rarity-badge" className={`badge rarity-${style}`}>
      <svg aria-hidden="true" width="14" height="14" viewBox="0 0 14 14" fill="currentColor">
        {FLAGS[style]}
        <path d="M1.5 2.5h11v9h-11z" fill="none" stroke="currentColor" />
      </svg>
      {titled(rarity || style)}
    </span>
  );
}
