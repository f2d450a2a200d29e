import type { ReactNode } from "react";
import { data, Link } from "react-router";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { useLiveCatalogue } from "#app/features/items/use-live-catalogue.ts";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { readAtContext, supabaseContext } from "#app/server-context.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import type { Route } from "./+types/route.ts";
import { ChangeFilters } from "./change-filters.tsx";
import { ChangeList } from "./change-list.tsx";
import { formatChangeQuery, parseChangeQuery } from "./change-query.ts";
import { cursorOf, readChanges } from "./read-changes.ts";
import "./changes.css";

export async function loader({ context, request }: Route.LoaderArgs) {
  const client = context.get(supabaseContext);
  const query = parseChangeQuery(new URL(request.url).search);
  const read = await readChanges(client, query);
  if (!read) return unavailable();
  return data({
    unavailable: false as const,
    ...read,
    query,
    readAt: context.get(readAtContext),
  });
}

export function meta({ matches }: Route.MetaArgs) {
  const site = siteOf(matches);
  return [
    ...pageMeta({
      site,
      path: "/changes",
      title: "Value Changes",
      description: `Every change of a value, a demand or a status at ${site.siteName}, with what was before and why, newest first.`,
      keywords: [`${site.gameName} value changes`, "value history", site.siteName],
    }),
    {
      tagName: "link",
      rel: "alternate",
      type: "application/atom+xml",
      title: "Value changes",
      href: "/feeds/changes.atom",
    },
  ];
}

/** Every change of every value, by day, with its reason. */
export default function Changes({ loaderData }: Route.ComponentProps) {
  useLiveCatalogue(loaderData.unavailable ? null : loaderData.readAt);
  if (loaderData.unavailable) return <ErrorBoundary />;
  const { changes, hasMore, query, categories } = loaderData;
  const last = changes.at(-1);
  return (
    <ChangesFrame>
      <ChangeFilters query={query} categories={categories} />
      {changes.length === 0 && (
        <EmptyState
          title="No changes match"
          action={<LinkButton to="/changes">Show all changes</LinkButton>}
        />
      )}
      <ChangeList changes={changes} />
      <nav aria-label="Older and newer changes" className="flex flex-wrap gap-2 empty:hidden">
        {query.before !== null && (
          <LinkButton to={`/changes${formatChangeQuery({ ...query, before: null })}`}>
            Newest changes
          </LinkButton>
        )}
        {hasMore && last && (
          <LinkButton to={`/changes${formatChangeQuery({ ...query, before: cursorOf(last) })}`}>
            Older changes
          </LinkButton>
        )}
      </nav>
    </ChangesFrame>
  );
}

/** Shows the page's frame even if its data did not arrive. */
export function ErrorBoundary() {
  return (
    <ChangesFrame>
      <ErrorState title="Changes can't be loaded right now" />
    </ChangesFrame>
  );
}

function ChangesFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page grid gap-4 pt-6 pb-12">
      <header className="prose">
        <h1>Value Changes</h1>
        <p>
          What each value was, what it became, and why. <Link to="/method">How values come about</Link> says
          who decides. Follow along by <a href="/feeds/changes.atom">feed</a> or as{" "}
          <a href="/feeds/changes.json">JSON</a>.
        </p>
      </header>
      {children}
    </div>
  );
}
