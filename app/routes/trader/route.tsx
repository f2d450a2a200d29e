import type { ReactNode } from "react";
import { data, type RouterContextProvider, redirect } from "react-router";
import { findTrader } from "#app/features/community/trader-queries.ts";
import { parsePage } from "#app/features/community/trader-query.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { supabaseContext } from "#app/server-context.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { formatAverage } from "#domain/people/rating.ts";
import { findUsernameFault } from "#domain/people/username.ts";
import { formatCount } from "#domain/text/counts.ts";
import type { Route } from "./+types/route.ts";
import { TraderProfile } from "./trader-profile.tsx";
import "#app/features/community/community.css";
import "./trader.css";

export function loader({ context, params, request }: Route.LoaderArgs) {
  return loadTrader(context, params.username, request.url);
}

export function meta({ matches, params, loaderData }: Route.MetaArgs) {
  const site = siteOf(matches);
  const trader = loaderData && !loaderData.unavailable ? loaderData.trader : null;
  const path = `/community/${params.username}`;
  const name = trader?.username ?? "Trader";
  return pageMeta({
    site,
    path,
    title: trader ? `${name}, rated by other traders` : "Trader not found",
    description: trader
      ? `${name} at ${site.siteName}: ${formatAverage(trader)} of 5 stars from ${formatCount(trader.rating_count, "rating")}, with every comment.`
      : `No trader by this name is listed at ${site.siteName}.`,
    keywords: ["trader ratings", name, `${site.gameName} trading community`, site.siteName],
    breadcrumbs: [
      { name: "Community", path: "/community" },
      { name, path },
    ],
  });
}

/** One trader with all ratings. */
export default function TraderRoute({ loaderData }: Route.ComponentProps) {
  if (loaderData.unavailable) return <ErrorBoundary />;
  const { trader, page } = loaderData;
  if (!trader) return <TraderNotFound />;
  return (
    <TraderFrame name={trader.username}>
      <TraderProfile key={trader.id} trader={trader} wantedPage={page} />
    </TraderFrame>
  );
}

/** Shows the page's frame even if its data did not arrive. */
export function ErrorBoundary() {
  return (
    <TraderFrame>
      <ErrorState level={1} title="This trader can't be loaded right now" />
    </TraderFrame>
  );
}

function TraderNotFound() {
  const action = (
    <LinkButton variant="primary" to="/community">
      See all traders
    </LinkButton>
  );
  return (
    <TraderFrame>
      <div className="card">
        <EmptyState level={1} title="Trader Not Found" action={action}>
          Nobody by that name is listed. They may have changed it, or prefer not to be shown.
        </EmptyState>
      </div>
    </TraderFrame>
  );
}

function TraderFrame({ name, children }: { name?: string; children: ReactNode }) {
  const steps = [{ name: "Community", path: "/community" }];
  if (name) steps.push({ name, path: `/community/${name}` });
  return (
    <div className="page grid gap-6">
      {name && <Breadcrumbs steps={steps} />}
      {children}
    </div>
  );
}

const NOT_FOUND = { unavailable: false as const, trader: null, page: 1 };

/**
 * A listed trader with a page of ratings, in one read. 404 for an unknown or unlisted name, 503 if the read failed; a
 * name in another case redirects to its canonical address.
 */
async function loadTrader(context: Readonly<RouterContextProvider>, username: string, url: string) {
  if (findUsernameFault(username)) return data(NOT_FOUND, { status: 404 });
  const { searchParams, search } = new URL(url);
  const page = parsePage(searchParams);
  const { trader, failed } = await findTrader(context.get(supabaseContext), username, page);
  if (failed) return unavailable();
  if (!trader) return data(NOT_FOUND, { status: 404 });
  if (trader.username !== username) throw redirect(`/community/${trader.username}${search}`, 301);
  return data({ unavailable: false as const, trader, page });
}
