import { countOf } from "../text/counts.ts";

/** The sum of a trader's stars, and the number of ratings. */
export type RatingSum = { rating_sum: number; rating_count: number };

/** The mean number of stars, 0 to 5; 0 without ratings (2.community.03–04). */
export function averageRating({ rating_sum, rating_count }: RatingSum): number {
  return rating_count > 0 ? rating_sum / rating_count : 0;
}

/** The average with one decimal, halves up; `0` without ratings. */
export function formatAverage(sum: RatingSum): string {
  if (sum.rating_count === 0) return "0";
  // Rounds tenths as an integer: 4.35 is slightly less in binary, and would be rounded down.
  return (Math.round((sum.rating_sum * 10) / sum.rating_count) / 10).toFixed(1);
}

/** `1 star`, `2 stars`. */
export function formatStars(stars: number): string {
  return countOf(stars, "star");
}
