import { AD_AFTER_EVERY } from "#app/features/ads/placement.ts";

/** The column counts at which eight cards leave a row unfilled, and the class that starts a row there. */
const UNEVEN = [
  { columns: 3, start: "sm:max-lg:col-start-1" },
  { columns: 5, start: "xl:max-2xl:col-start-1" },
  { columns: 6, start: "2xl:col-start-1" },
];

/**
 * The classes of the last card. Cards after an ad first fill the row before it; if they all fit there, the ad would end
 * the list visually, so the last one keeps a row of its own after it (2.values.14).
 */
export function lastCardPlace(cards: number): string {
  const ads = Math.floor((cards - 1) / AD_AFTER_EVERY);
  const before = ads * AD_AFTER_EVERY;
  if (before <= 0) return "";
  const after = cards - before;
  const fits = UNEVEN.filter(({ columns }) => after <= (columns - (before % columns)) % columns);
  return fits.map(({ start }) => start).join(" ");
}
