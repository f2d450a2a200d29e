import type { Rarity } from "#domain/items/rarity.ts";

/** The facts that determine an item's picture. The same facts give the same picture, byte for byte. */
export type DrawnItem = {
  slug: string;
  name: string;
  /** `fruit`, `gamepass`, `item` … */
  type: string;
  /** A fruit's kind; null for other items. */
  kind: "natural" | "elemental" | "beast" | null;
  rarity: Rarity;
  /** The fruit that a skin belongs to: same silhouette and emblem, another palette. */
  base?: Pick<DrawnItem, "slug" | "name" | "kind">;
};

/** A uniform 32-bit hash of a text (FNV-1a), for arbitrary but stable choices. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** An element of the list, chosen by the item's hash; `salt` makes several choices for one item independent. */
export function choose<T>(list: readonly T[], slug: string, salt: string): T {
  return list[hashOf(slug + salt) % list.length] as T;
}
