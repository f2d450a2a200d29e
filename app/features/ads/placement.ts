/** Where ads can appear (3.ad.02). */
const PLACEMENTS = ["values_grid", "detail_header", "detail_content", "detail_sidebar"] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** The sizes of ad slots in CSS pixels; a slot may be narrower, as its column is, but never lower (P16). */
export const AD_SIZES = {
  banner: { width: 468, height: 60 },
  square: { width: 250, height: 250 },
  leaderboard: { width: 728, height: 90 },
} as const;
export type AdSize = keyof typeof AD_SIZES;

export const PLACEMENT_SIZES: Record<Placement, AdSize> = {
  values_grid: "leaderboard",
  detail_header: "banner",
  detail_content: "banner",
  detail_sidebar: "square",
};

/** The number of cards between two ads of the values grid. */
export const AD_AFTER_EVERY = 8;

export function isPlacement(word: string | undefined): word is Placement {
  return (PLACEMENTS as readonly (string | undefined)[]).includes(word);
}
