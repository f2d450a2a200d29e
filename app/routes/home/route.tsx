import { Link } from "react-router";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { CheckNotice } from "#app/features/items/check-notice.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { listBriefItems } from "#app/features/items/item-queries.ts";
import { useNow } from "#app/features/items/use-now.ts";
import { listDatedChanges } from "#app/features/items/value-history-queries.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { readAtContext, supabaseContext } from "#app/server-context.ts";
import { LinkButton } from "#app/ui/link-button.tsx";
import { medianDay } from "#domain/text/dates.ts";
import type { Route } from "./+types/route.ts";
import { Features } from "./features.tsx";
import { HarborBoard } from "./harbor-board.tsx";
import { HarborScene } from "./harbor-scene.tsx";
import { HeroSearch } from "./hero-search.tsx";
import { type BoardRow, dateMoves, type MarketBoard, marketBoard } from "./market-board.ts";
import { packSuggestions } from "./suggestions.ts";
import "./home.css";
import "./lantern-rope.css";

const LANTERNS = 6;
const MOVERS = 5;

export async function loader({ context }: Route.LoaderArgs) {
  const client = context.get(supabaseContext);
  const items = await listBriefItems(client);
  if (!items) return unavailable();
  const board = marketBoard(items, LANTERNS, MOVERS);
  const changes = await listDatedChanges(
    client,
    board.movers.map(({ id }) => id),
  );
  return {
    board,
    moves: dateMoves(board.movers, items, changes),
    index: packSuggestions(items),
    checked: medianDay(items.map(({ values_checked_at }) => values_checked_at.slice(0, 10))),
    readAt: context.get(readAtContext),
  };
}

export const meta = metaOf((site) => ({
  path: "/",
  title: `${site.gameName} Values and Trade Calculator`,
  description: `Real-time ${site.gameName} item values with detailed statistics, a trade calculator that tells a fair trade from a bad one, and the history of every value.`,
  keywords: [`${site.gameName} values`, "trade calculator", "fruit values", "trading values", "item values"],
}));

/** The home page: what the site is, what moves today, and the two main links (clauses 2.home.01 to .05). */
export default function Home({ loaderData }: Route.ComponentProps) {
  const { gameName } = useSiteConfig();
  const market = "board" in loaderData ? loaderData : null;
  const board = market?.board ?? null;
  return (
    <>
      <section className="hero">
        <HarborScene />
        {board && <LanternRope rows={board.dearest} />}
        <div className="page hero-columns">
          <div className="hero-words">
            <h1>{gameName} values, straight from the harbor</h1>
            <p className="hero-tagline">
              Real-time item values with detailed statistics and comprehensive trading analysis.
            </p>
            <HeroSearch index={market?.index ?? "[]"} />
            <div className="hero-ways">
              <LinkButton to="/values" prefetch="intent" variant="primary" size="lg">
                Browse Values
              </LinkButton>
              <LinkButton to="/calculator" prefetch="intent" size="lg">
                Trade Calculator
              </LinkButton>
            </div>
          </div>
          <HarborBoard
            moves={market?.moves ?? null}
            notice={
              market && <Checked median={market.checked} readAt={market.readAt} count={market.board.count} />
            }
          />
        </div>
      </section>
      <Features />
      <Quay board={board} />
    </>
  );
}

function Checked({ median, count, readAt }: { median: string | null; count: number; readAt: number }) {
  return <CheckNotice median={median} count={count} now={useNow(readAt)} values="all values" />;
}

/** The call to action at the end, with decorative items. */
function Quay({ board }: { board: MarketBoard | null }) {
  return (
    <section className="page quay">
      <div className="card card-pad quay-card">
        <div>
          <h2>The whole hold is open</h2>
          <p>
            {board ? `${board.count} items, each` : "Every item"} with what is known of its value, its demand
            and how it got there. No account needed to look.
          </p>
        </div>
        {board && (
          <div className="quay-goods">
            {board.goods.map((image) => (
              <ItemImage key={image} src={image} size={64} />
            ))}
          </div>
        )}
        <LinkButton to="/values" prefetch="intent" variant="primary" size="lg">
          Explore All Values
        </LinkButton>
      </div>
    </section>
  );
}

/** The most valuable items, hung as lanterns on a rope across the harbor; fewer on a narrow screen. */
function LanternRope({ rows }: { rows: readonly BoardRow[] }) {
  return (
    <nav aria-label="Most valuable items" className="rope-line">
      <svg aria-hidden="true" viewBox="0 0 100 20" preserveAspectRatio="none">
        <path d="M0 0Q50 40 100 0" vectorEffect="non-scaling-stroke" />
        <path d="M0 0Q50 40 100 0" vectorEffect="non-scaling-stroke" />
      </svg>
      <ul>
        {rows.map((row) => (
          <li key={row.slug}>
            <Link to={`/fruits/${row.slug}`} prefetch="intent">
              <ItemImage src={row.image} size={72} eager className="lantern" />
              <span className="grid max-w-full justify-items-center leading-[1.2]">
                <span className="lantern-name" translate="no">
                  {row.name}
                </span>
                <span className="figures lantern-value" translate="no">
                  {row.value}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
