import { type ComponentType, lazy, Suspense } from "react";
import { data, type RouterContextProvider } from "react-router";
import { findAdStates } from "#app/features/ads/ad-queries.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { useLiveCatalogue } from "#app/features/items/use-live-catalogue.ts";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { readAtContext, supabaseContext } from "#app/server-context.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import type { Route } from "./+types/route.ts";
import { readValues } from "./found/read-values.ts";
import { ItemList, type ItemListProps } from "./item-list.tsx";
import "./finder/finder.css";
import "./finder/filter-sheet.css";
import "./item-cards.css";
import "./item-rows.css";

/** Loaded by browsers only for a catalogue this long; by the server, whose rendering cannot wait, beforehand. */
const long: { List: ComponentType<ItemListProps> } = { List: lazy(() => import("./found/long-list.tsx")) };

export function loader({ context, request }: Route.LoaderArgs) {
  return loadValues(context, new URL(request.url).search);
}

export function meta({ matches }: Route.MetaArgs) {
  const site = siteOf(matches);
  return pageMeta({
    site,
    path: "/values",
    title: "Item Values",
    description: `Values, prices, demand and rarity of ${site.gameName} fruits, gamepasses and limiteds, regular and permanent.`,
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
  return (
    <ValuesFrame>
      {loaderData.unavailable ? (
        <ErrorState />
      ) : loaderData.found.isWhole ? (
        <ItemList {...loaderData} />
      ) : (
        <Suspense>
          <long.List {...loaderData} />
        </Suspense>
      )}
    </ValuesFrame>
  );
}

/** Shows the page's frame even if its data did not arrive, for example offline. */
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
    </div>
  );
}

/** Everything that /values shows, read at once; status 503 if the items could not be read. */
async function loadValues(context: Readonly<RouterContextProvider>, query: string) {
  const client = context.get(supabaseContext);
  const [values, ads] = await Promise.all([readValues(client, query), findAdStates(client, ["values_grid"])]);
  if (!values) return unavailable();
  if (!values.found.isWhole) long.List = (await import("./found/long-list.tsx")).default;
  return data({
    unavailable: false as const,
    found: values.found,
    tabs: values.categories.map(({ slug, name, icon }) => ({ slug, name, icon })),
    configuration: values.configuration,
    ad: ads.values_grid,
    readAt: context.get(readAtContext),
  });
}
