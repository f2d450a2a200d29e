import { Pager } from "#app/features/community/pager.tsx";
import { RateButton } from "#app/features/community/rate-button.tsx";
import { RatingItem } from "#app/features/community/rating-item.tsx";
import { RatingSummary } from "#app/features/community/rating-summary.tsx";
import { TraderAvatar } from "#app/features/community/trader-avatar.tsx";
import { RATINGS_A_PAGE, type TraderInFull } from "#app/features/community/trader-queries.ts";
import { countPages } from "#app/features/community/trader-query.ts";
import { useOwnRatings } from "#app/features/community/use-own-ratings.ts";
import { useRateDialog } from "#app/features/community/use-rate-dialog.tsx";
import { useReportDialog } from "#app/features/reports/use-report-dialog.tsx";
import { useFullSession } from "#app/features/session/use-session.ts";
import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { formatStars } from "#domain/people/rating.ts";
import { RatingActions, useRatingActs } from "./use-rating-acts.tsx";

/** The trader and the summary of their ratings, beside every rating, newest first. */
export function TraderProfile({ trader, wantedPage }: { trader: TraderInFull; wantedPage: number }) {
  const { dialog, rate } = useRateDialog();
  return (
    <div className="trader-profile">
      <Card as="section" aria-labelledby="trader-name" className="grid gap-5">
        <header className="flex items-center gap-3.5">
          <TraderAvatar username={trader.username} url={trader.avatar_url} />
          <div className="min-w-0">
            <h1 id="trader-name" translate="no" className="text-[clamp(1.125rem,5.6vw,1.4375rem)]">
              {trader.username}
            </h1>
            {trader.rating_count > 0 && <RatingSummary sum={trader} size={24} />}
          </div>
        </header>
        {trader.rating_count > 0 && <StarChart stars={trader.stars} />}
        <div className="flex flex-wrap items-center gap-2">
          <RateButton trader={trader} onRate={rate} />
          <ReportTrader trader={trader} />
        </div>
      </Card>
      <AllRatings trader={trader} wantedPage={wantedPage} />
      {dialog}
    </div>
  );
}

function AllRatings({ trader, wantedPage }: { trader: TraderInFull; wantedPage: number }) {
  const { page, pages } = countPages(trader.rating_count, RATINGS_A_PAGE, wantedPage);
  const path = `/community/${trader.username}`;
  const { dialogs, act } = useRatingActs();
  const isOwn = useOwnRatings(trader.ratings);
  return (
    <Card as="section" aria-labelledby="ratings-title">
      <CardTitle id="ratings-title">All ratings</CardTitle>
      {trader.ratings.length > 0 ? (
        <ul className="trader-ratings">
          {trader.ratings.map((rating) => (
            <RatingItem key={rating.id} rating={rating} isOwn={isOwn(rating)}>
              {!isOwn(rating) && (
                <RatingActions traderId={trader.id} rating={rating} onAct={(what) => act(what, rating)} />
              )}
            </RatingItem>
          ))}
        </ul>
      ) : (
        <p className="text-muted">No ratings yet.</p>
      )}
      <Pager
        label="Pages of ratings"
        page={page}
        pages={pages}
        to={(next) => (next > 1 ? `${path}?page=${next}` : path)}
      />
      {dialogs}
    </Card>
  );
}

/** The number of ratings per star, each as a bar with its number. */
function StarChart({ stars }: { stars: readonly number[] }) {
  const most = Math.max(1, ...stars);
  return (
    <ul className="star-chart figures grid gap-1.5" aria-label="Ratings by stars">
      {stars
        .map((count, index) => (
          <li
            key={formatStars(index + 1)}
            className="grid grid-cols-[3.75rem_minmax(0,1fr)_minmax(2rem,auto)] items-center gap-3 text-sm"
          >
            <span className="text-muted">{formatStars(index + 1)}</span>
            <svg aria-hidden="true" width="100%" height="12" className="fill-accent-text">
              <rect width="100%" height="12" rx="6" className="star-chart-ground fill-line" />
              {count > 0 && <rect width={`${Math.max(2, (count / most) * 100)}%`} height="12" rx="6" />}
            </svg>
            <span className="text-end">
              {count.toLocaleString("en-US")}
              <span className="sr-only"> {count === 1 ? "rating" : "ratings"}</span>
            </span>
          </li>
        ))
        .reverse()}
    </ul>
  );
}

type ReportTraderProps = { trader: { id: string; username: string; avatar_url: string | null } };

function ReportTrader({ trader: { id, username, avatar_url } }: ReportTraderProps) {
  const session = useFullSession();
  const { dialog, report } = useReportDialog();
  if (!session || session.user.id === id) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-haspopup="dialog"
        onClick={() => report({ kind: "name", subjectId: id, text: username })}
      >
        Report name
      </Button>
      {avatar_url && (
        <Button
          size="sm"
          variant="ghost"
          aria-haspopup="dialog"
          onClick={() => report({ kind: "picture", subjectId: id, text: null })}
        >
          Report picture
        </Button>
      )}
      {dialog}
    </>
  );
}
