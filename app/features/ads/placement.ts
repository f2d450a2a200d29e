/** The sizes of ad slots in CSS pixels; a slot may be narrower, as its column is, but never lower (P16). */
export const AD_SIZES = {
  banner: { width: 468, height: 60 },
  square: { width: 250, height: 250 },
  leaderboard: { width: 728, height: 90 },
} as const;
export type AdSize = keyof typeof AD_SIZES;

/** Where ads can appear (3.ad.02), and how large. */
export const PLACEMENT_SIZES = {
  values_grid: "leaderboard",
  detail_header: "banner",
  detail_content: "banner",
  detail_sidebar: "square",
} as const satisfies Record<string, AdSize>;
export type Placement = keyof typeof PLACEMENT_SIZES;

/** The number of cards between two ads of the values grid. */
export const AD_AFTER_EVERY = 8;

export function isPlacement(word = ""): word is Placement {
  return Object.hasOwn(PLACEMENT_SIZES, word);
}
