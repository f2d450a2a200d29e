import { data, type RouterContextProvider } from "react-router";
import { listFilledPlacements } from "#app/features/ads/ad-queries.ts";
import { listCategories } from "#app/features/categories/category-queries.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { findCustomFieldLabels } from "#app/features/items/field-definition-queries.ts";
import { listItems } from "#app/features/items/item-queries.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import { readAtContext, supabaseContext } from "#app/server-context.ts";
import { toListedItems } from "./listed-item.ts";
import { packItems } from "./pack-items.ts";

/** Everything that /values shows, read at once; status 503 when the items could not be read. */
export async function loadValues(context: Readonly<RouterContextProvider>) {
  const client = context.get(supabaseContext);
  const [items, categories, configuration, labels, placements] = await Promise.all([
    listItems(client),
    listCategories(client),
    findPageConfiguration(client, "values"),
    findCustomFieldLabels(client),
    listFilledPlacements(client, ["values_grid"]),
  ]);
  if (!items) return unavailable();
  return data({
    unavailable: false as const,
    items: packItems(toListedItems(items, categories, labels, configuration)),
    tabs: categories.map(({ slug, name, icon }) => ({ slug, name, icon })),
    configuration,
    hasAd: placements.length > 0,
    renderedAt: Date.now(),
    readAt: context.get(readAtContext),
  });
}
