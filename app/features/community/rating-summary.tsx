import { averageRating, formatAverage, formatCount, type RatingSum } from "#domain/people/rating.ts";
import { Stars } from "./stars.tsx";

/** The average with one decimal and how many gave it (2.community.03, .04). */
export function RatingSummary({ sum, size }: { sum: RatingSum; size?: number }) {
  return (
    <p className="rating-summary figures">
      <Stars value={averageRating(sum)} size={size} />
      <span className="sr-only">Average rating </span>
      <b>{formatAverage(sum)}</b>
      <span className="rating-count">{formatCount(sum.rating_count)}</span>
    </p>
  );
}
