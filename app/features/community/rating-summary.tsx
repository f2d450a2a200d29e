import { averageRating, formatAverage, type RatingSum } from "#domain/people/rating.ts";
import { formatCount } from "#domain/text/counts.ts";
import { Stars } from "./stars.tsx";

/** The average with one decimal, and the number of ratings (2.community.03, .04). */
export function RatingSummary({ sum, size }: { sum: RatingSum; size?: number }) {
  return (
    <p className="figures flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Stars value={averageRating(sum)} size={size} />
      <span className="sr-only">Average rating </span>
      <b>{formatAverage(sum)}</b>
      <span className="text-muted text-sm">{formatCount(sum.rating_count, "rating")}</span>
    </p>
  );
}
