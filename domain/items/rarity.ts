/** From the most to the least common (4.style.01). */
export const RARITIES = ["common", "uncommon", "rare", "legendary", "mythical"] as const;
export type Rarity = (typeof RARITIES)[number];

/** The rarity whose look a stored word takes; an unknown or missing one takes the common look. */
export function rarityStyle(word: string | null | undefined): Rarity {
  return RARITIES.find((rarity) => rarity === word) ?? "common";
}
