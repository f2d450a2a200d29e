import type { ReactNode } from "react";
import { Link } from "react-router";
import { DateText } from "#app/features/items/date-text.tsx";
import { formatStars } from "#domain/people/rating.ts";
import { Stars } from "./stars.tsx";
import type { ShownRating } from "./trader-queries.ts";

type RatingItemProps = {
  rating: ShownRating;
  /** The reader gave it without being listed. */
  isOwn: boolean;
  children?: ReactNode;
};

/** A rating with its rater, date and comment; without a comment, no quotation marks either (2.community.05). */
export function RatingItem({ rating, isOwn, children }: RatingItemProps) {
  return (
    <li className="rating">
      <p className="rating-head">
        <Stars value={rating.rating} size={14} />
        <span className="sr-only">{formatStars(rating.rating)} from </span>
        {rating.rater ? (
          <Link to={`/community/${rating.rater}`} className="rating-rater">
            {rating.rater}
          </Link>
        ) : (
          <span className="rating-rater">{isOwn ? "You, hidden from others" : "A hidden trader"}</span>
        )}
        <DateText date={rating.created_at} />
      </p>
      {rating.comment && <p className="rating-comment">{rating.comment}</p>}
      {rating.answer && (
        <p className="rating-answer">
          <span className="font-semibold">Answer:</span> {rating.answer}
        </p>
      )}
      {children}
    </li>
  );
}
