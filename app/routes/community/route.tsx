import "#app/features/community/community.css";
import type { ReactNode } from "react";
import { data, Link, type RouterContextProvider, useNavigation } from "react-router";
import { Pager } from "#app/features/community/pager.tsx";
import { RateButton } from "#app/features/community/rate-button.tsx";
import { RatingItem } from "#app/features/community/rating-item.tsx";
import { RatingSummary } from "#app/features/community/rating-summary.tsx";
import { TraderAvatar } from "#app/features/community/trader-avatar.tsx";
import {
  listTraders,
  type ShownRating,
  TRADERS_A_PAGE,
  type Trader,
} from "#app/features/community/trader-queries.ts";
import {
  countPages,
  formatTraderQuery,
  parseTraderQuery,
  type TraderQuery,
} from "#app/features/community/trader-query.ts";
import { useOwnRatings } from "#app/features/community/use-own-ratings.ts";
import { useRateDialog } from "#app/features/community/use-rate-dialog.tsx";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { supabaseContext } from "#app/server-context.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { formatCount } from "#domain/text/counts.ts";
import type { Route } from "./+types/route.ts";
import { TraderSearch } from "./trader-search.tsx";

export function loader({ context, request }: Route.LoaderArgs) {
  return loadTraders(context, request.url);
}

export const meta = metaOf((site) => ({
  path: "/community",
  title: "Trader Community",
  description: `Who trades at ${site.siteName}, and what others say about them: every trader's rating and newest comments, searchable by name.`,
  keywords: ["traders", "trader ratings", `${site.gameName} trading community`, site.siteName],
}));

/** All listed traders with their ratings (2.community.01–09). */
export default function Community({ loaderData }: Route.ComponentProps) {
  if (loaderData.unavailable) return <ErrorBoundary />;
  return (
    <CommunityFrame>
      <TraderList {...loaderData} />
    </CommunityFrame>
  );
}

/** Shows the page's frame even if its data did not arrive. */
export function ErrorBoundary() {
  return (
    <CommunityFrame>
      <ErrorState title="Traders can't be loaded right now" />
    </CommunityFrame>
  );
}

function CommunityFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page grid gap-6">
      <header className="prose">
        <h1>Community</h1>
        <p>Check who you're trading with, and tell others how it went.</p>
      </header>
      {children}
    </div>
  );
}

/** A page of traders in one read; status 503 if it failed. */
async function loadTraders(context: Readonly<RouterContextProvider>, url: string) {
  const query = parseTraderQuery(new URL(url).searchParams);
  const found = await listTraders(context.get(supabaseContext), query);
  return found ? data({ unavailable: false as const, query, ...found }) : unavailable();
}

type TraderListProps = { query: TraderQuery; traders: readonly Trader[]; total: number };

/** Search, cards and pagination; the list is dimmed while another one loads. */
function TraderList({ query, traders, total }: TraderListProps) {
  const { dialog, rate } = useRateDialog();
  const isBusy = useNavigation().location?.pathname === "/community";
  const { page, pages } = countPages(total, TRADERS_A_PAGE, query.page);
  const isOwn = useOwnRatings(traders.flatMap(({ ratings }) => ratings));
  return (
    <>
      <TraderSearch query={query} />
      <p role="status" className="text-sm text-muted wrap-anywhere">
        {describe(query, total)}
      </p>
      {traders.length > 0 ? (
        <ul aria-busy={isBusy} aria-label="Traders" className="trader-list">
          {traders.map((trader) => (
            <TraderCard key={trader.id} trader={trader} isOwn={isOwn} onRate={rate} />
          ))}
        </ul>
      ) : (
        <NobodyFound query={query} />
      )}
      <Pager
        label="Pages of traders"
        page={page}
        pages={pages}
        to={(next) => formatTraderQuery({ ...query, page: next })}
      />
      {dialog}
    </>
  );
}

function describe({ search }: TraderQuery, total: number): string {
  const traders = formatCount(total, "trader");
  return search ? `${traders} with “${search}” in the name` : traders;
}

function NobodyFound({ query }: { query: TraderQuery }) {
  if (!query.search) {
    return (
      <EmptyState title="No traders yet">
        Traders who choose to be listed appear here. Be the first to come aboard.
      </EmptyState>
    );
  }
  const action = (
    <LinkButton to={formatTraderQuery({ ...query, search: "", page: 1 })}>Show all traders</LinkButton>
  );
  return (
    <EmptyState title="No traders found" action={action}>
      Nobody’s name contains “{query.search}”. Some traders prefer not to be listed.
    </EmptyState>
  );
}

type TraderCardProps = {
  trader: Trader;
  isOwn: (rating: ShownRating) => boolean;
  onRate: (trader: Trader) => void;
};

/** A trader in the list: name, average, and the three newest ratings (2.community.02 to .07). */
function TraderCard({ trader, isOwn, onRate }: TraderCardProps) {
  const { username, rating_count, ratings } = trader;
  const path = `/community/${username}`;
  return (
    <li className="trader-card card card-pad flex min-w-0 flex-col gap-3.5">
      <header className="flex items-center gap-3.5">
        <TraderAvatar username={username} url={trader.avatar_url} />
        <div className="min-w-0">
          <h2 className="text-[1.1875rem]">
            <Link to={path} prefetch="intent" className="hover:underline" translate="no">
              {username}
            </Link>
          </h2>
          <RatingSummary sum={trader} />
        </div>
      </header>
      {ratings.length > 0 && (
        <ul className="trader-ratings">
          {ratings.map((rating) => (
            <RatingItem key={rating.id} rating={rating} isOwn={isOwn(rating)} />
          ))}
        </ul>
      )}
      <footer className="mt-auto flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2 [&>:only-child:not(a)]:ml-auto">
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
