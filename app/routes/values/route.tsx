import { data, type RouterContextProvider } from "react-router";
import { findAdStates } from "#app/features/ads/ad-queries.ts";
import { listCategories } from "#app/features/categories/category-queries.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { findCustomFieldLabels } from "#app/features/items/field-definition-queries.ts";
import { listItems, listRecentReadings } from "#app/features/items/item-queries.ts";
import { LoadingItem } from "#app/features/items/loading-item.tsx";
import { useLiveCatalogue } from "#app/features/items/use-live-catalogue.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { readAtContext, supabaseContext } from "#app/server-context.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import type { Route } from "./+types/route.ts";
import { ItemList } from "./item-list.tsx";
import { toListedItems } from "./listed-item.ts";
import { packItems } from "./pack-items.ts";
import "./finder/finder.css";
import "./finder/filter-sheet.css";
import "./item-cards.css";
import "./item-rows.css";

export function loader({ context }: Route.LoaderArgs) {
  return loadValues(context);
}

export function meta({ matches }: Route.MetaArgs) {
  const site = siteOf(matches);
  return pageMeta({
    site,
    path: "/values",
    title: "Item Values",
    description: `Current values, prices, demand and rarity of every ${site.gameName} fruit, gamepass and limited, regular and permanent, ordered by what they trade for.`,
    keywords: [
      `${site.gameName} values`,
      "item values",
      "fruit values",
      "trading values",
      "demand",
      "permanent values",
    ],
  });
}

/** All items with their values: search, categories, default view mode, cards (2.values.01–28). */
export default function Values({ loaderData }: Route.ComponentProps) {
  useLiveCatalogue(loaderData.unavailable ? null : loaderData.readAt);
  return <ValuesFrame>{loaderData.unavailable ? <ErrorState /> : <ItemList {...loaderData} />}</ValuesFrame>;
}

/** The page's frame also when its data did not arrive at all, as when the connection broke on the way here. */
export function ErrorBoundary() {
  return (
    <ValuesFrame>
      <ErrorState />
    </ValuesFrame>
  );
}

function ValuesFrame({ children }: { children: React.ReactNode }) {
  return (
    <div className="page values-page">
      <h1>Item Values</h1>
      {children}
      <LoadingItem />
    </div>
  );
}

/** Everything that /values shows, read at once; status 503 when the items could not be read. */
async function loadValues(context: Readonly<RouterContextProvider>) {
  const client = context.get(supabaseContext);
  const [items, readings, categories, configuration, labels, ads] = await Promise.all([
    listItems(client),
    listRecentReadings(client),
    listCategories(client),
    findPageConfiguration(client, "values"),
    findCustomFieldLabels(client),
    findAdStates(client, ["values_grid"]),
  ]);
  if (!items) return unavailable();
  return data({
    unavailable: false as const,
    items: packItems(toListedItems(items, categories, labels, configuration, readings)),
    tabs: categories.map(({ slug, name, icon }) => ({ slug, name, icon })),
    configuration,
    ad: ads.values_grid,
    renderedAt: Date.now(),
    readAt: context.get(readAtContext),
  });
}
