import type { Rarity } from "#domain/items/rarity.ts";

/** What decides an item's picture. The same facts give the same picture, byte for byte. */
export type DrawnItem = {
  slug: string;
  name: string;
  /** `fruit`, `gamepass`, `item` … */
  type: string;
  /** How a fruit works; null for what is no fruit. */
  kind: "natural" | "elemental" | "beast" | null;
  rarity: Rarity;
  /** The fruit that a skin dresses: same silhouette and emblem, another palette. */
  base?: Pick<DrawnItem, "slug" | "name" | "kind">;
};

/** An even 32-bit number from a text (FNV-1a), for choices that nothing else decides. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** One of a list, by the item's hash; `salt` keeps several choices for one item apart. */
export function choose<T>(list: readonly T[], slug: string, salt: string): T {
  return list[hashOf(slug + salt) % list.length] as T;
}
