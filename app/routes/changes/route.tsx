import "./changes.css";
import type { ReactNode } from "react";
import { data, Link, useLocation } from "react-router";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { describeReason, describeRole } from "#app/features/items/change-reason.ts";
import { ChangeText } from "#app/features/items/change-text.tsx";
import { EvidenceLink } from "#app/features/items/evidence-link.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { useLiveCatalogue } from "#app/features/items/use-live-catalogue.ts";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { readAtContext, supabaseContext } from "#app/server-context.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { formatDate } from "#domain/text/dates.ts";
import type { Route } from "./+types/route.ts";
import { ChangeFilters } from "./change-filters.tsx";
import { formatChangeQuery, parseChangeQuery } from "./change-query.ts";
import { anchorOf, describePart, describeSide, moveOf, NO_REASON, pathOf } from "./describe-change.ts";
import { cursorOf, readChanges, type ShownChange } from "./read-changes.ts";

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
  const asked = formatChangeQuery(parseChangeQuery(useLocation().search));
  if (loaderData.unavailable) return <ErrorBoundary />;
  const { changes, hasMore, query, categories } = loaderData;
  const last = changes.at(-1);
  return (
    <ChangesFrame>
      <ChangeFilters query={query} categories={categories} />
      {/* A device keeps one list, whatever the address asks for. */}
      {asked !== formatChangeQuery(query) && (
        <p role="status">Other filters need a connection: this is the list saved on this device.</p>
      )}
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
    <div className="page grid gap-4">
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

/** Changes grouped by day (UTC). */
function ChangeList({ changes }: { changes: readonly ShownChange[] }) {
  return groupByDay(changes).map(({ day, made }) => (
    <section key={day} aria-labelledby={`day-${day}`} className="changes-day">
      <h2 id={`day-${day}`}>
        <time dateTime={day}>{formatDate(day, "UTC")}</time>
      </h2>
      <ul>
        {made.map((change) => (
          <ChangeLine key={anchorOf(change)} change={change} />
        ))}
      </ul>
    </section>
  ));
}

function ChangeLine({ change }: { change: ShownChange }) {
  const { kind, item, old_value, new_value, evidence_url, picture } = change;
  const part = describePart(change);
  const move = moveOf(change);
  const role = describeRole(change);
  return (
    <li id={anchorOf(change)} className="changes-line">
      <ItemImage src={item.image_url} size={40} className="size-10 [grid-area:picture]" />
      <p className="changes-name">
        <Link to={pathOf(change)} className="link" translate="no">
          {item.name}
        </Link>
        {part && <span className="ml-2 font-normal text-muted text-sm">{part}</span>}
      </p>
      <p className="changes-figures figures">
        {kind === "value" && old_value === null ? (
          <>
            <span className="text-muted">First value</span>{" "}
            <FigureText text={describeSide(change, new_value)} />
          </>
        ) : (
          <>
            <span className="sr-only">from </span>
            <FigureText text={describeSide(change, old_value)} /> <span aria-hidden="true">→</span>
            <span className="sr-only">to </span>{" "}
            <strong>{<FigureText text={describeSide(change, new_value)} />}</strong>{" "}
            {move && <ChangeText {...move} />}
          </>
        )}
      </p>
      <p className="changes-reason">
        {describeReason(change) ?? NO_REASON}{" "}
        <EvidenceLink href={evidence_url} picture={picture} item={item.name} />
        {role && <small className="block text-[0.8125rem]">{role}</small>}
      </p>
    </li>
  );
}

function groupByDay(changes: readonly ShownChange[]): { day: string; made: ShownChange[] }[] {
  const days: { day: string; made: ShownChange[] }[] = [];
  for (const change of changes) {
    const day = change.changed_at.slice(0, 10);
    if (days.at(-1)?.day === day) days.at(-1)?.made.push(change);
    else days.push({ day, made: [change] });
  }
  return days;
}
