import { Link } from "react-router";
import { RateButton } from "#app/features/community/rate-button.tsx";
import { RatingItem } from "#app/features/community/rating-item.tsx";
import { RatingSummary } from "#app/features/community/rating-summary.tsx";
import { TraderAvatar } from "#app/features/community/trader-avatar.tsx";
import type { Trader } from "#app/features/community/trader-queries.ts";

type TraderCardProps = { trader: Trader; onRate: (trader: Trader) => void };

/** A trader in the list: who they are, what others make of them, the three newest ratings (2.community.02 to .07). */
export function TraderCard({ trader, onRate }: TraderCardProps) {
  const { username, rating_count, ratings } = trader;
  const path = `/community/${username}`;
  return (
    <li className="trader-card card card-pad">
      <header>
        <TraderAvatar username={username} url={trader.avatar_url} />
        <div>
          <h2>
            <Link to={path} prefetch="intent">
              {username}
            </Link>
          </h2>
          <RatingSummary sum={trader} />
        </div>
      </header>
      {ratings.length > 0 ? (
        <ul className="trader-ratings">
          {ratings.map((rating) => (
            <RatingItem key={rating.id} rating={rating} />
          ))}
        </ul>
      ) : (
        <p className="trader-unrated">No ratings yet.</p>
      )}
      <footer>
        {rating_count > ratings.length && (
          <Link to={path} className="link">
            All ratings<span className="sr-only"> of {username}</span>
          </Link>
        )}
        <RateButton trader={trader} onRate={onRate} />
      </footer>
    </li>
  );
}
