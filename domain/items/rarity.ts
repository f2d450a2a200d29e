/** From most to least common (4.style.01). */
export const RARITIES = ["common", "uncommon", "rare", "legendary", "mythical"] as const;
export type Rarity = (typeof RARITIES)[number];

/** The rarity whose style a stored word gets; common if unknown or missing. */
export function rarityStyle(word: string | null | undefined): Rarity {
  return RARITIES.find((rarity) => rarity === word) ?? "common";
}
