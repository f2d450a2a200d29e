import type { ReactNode } from "react";
import { data, type RouterContextProvider } from "react-router";
import { listTraders } from "#app/features/community/trader-queries.ts";
import { parseTraderQuery } from "#app/features/community/trader-query.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { supabaseContext } from "#app/server-context.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import type { Route } from "./+types/route.ts";
import { TraderList } from "./trader-list.tsx";
import "#app/features/community/community.css";

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
    <div className="page grid gap-6 py-8 lg:py-12">
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
