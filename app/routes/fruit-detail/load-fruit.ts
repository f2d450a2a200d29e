import type { SupabaseClient } from "@supabase/supabase-js";
import { data, type RouterContextProvider } from "react-router";
import { findAdStates } from "#app/features/ads/ad-queries.ts";
import { findCategory } from "#app/features/categories/category-queries.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { findCustomFieldLabels } from "#app/features/items/field-definition-queries.ts";
import {
  findItemBySlug,
  type Item,
  listItemValueChanges,
  listRelatedItems,
} from "#app/features/items/item-queries.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import { renderHistory } from "#app/routes/fruit-detail/history/render-history.tsx";
import { toValueSeries } from "#app/routes/fruit-detail/history/value-series.ts";
import { readAtContext, supabaseContext } from "#app/server-context.ts";
import type { Database } from "#supabase/database.types.ts";
import { toShownFruit } from "./shown-fruit.ts";

/** How many neighbors of its category an item's page offers. */
const RELATED = 6;
const PLACEMENTS = ["detail_header", "detail_content", "detail_sidebar"] as const;

/** Everything that an item's page shows; 404 for an unknown slug, 503 when the item could not be read. */
export async function loadFruit(context: Readonly<RouterContextProvider>, slug: string) {
  const client = context.get(supabaseContext);
  const [{ item, failed }, page] = await Promise.all([findItemBySlug(client, slug), loadPage(client)]);
  if (failed) return unavailable();
  const readAt = context.get(readAtContext);
  if (!item) return data({ unavailable: false as const, found: null, readAt }, { status: 404 });
  return data({ unavailable: false as const, found: await loadFound(client, item, page), readAt });
}

/** What the page needs whatever the item is. */
async function loadPage(client: SupabaseClient<Database>) {
  const [configuration, labels, ads] = await Promise.all([
    findPageConfiguration(client, "fruit_detail"),
    findCustomFieldLabels(client),
    findAdStates(client, PLACEMENTS),
  ]);
  return { configuration, labels, ads };
}

async function loadFound(
  client: SupabaseClient<Database>,
  item: Item,
  page: Awaited<ReturnType<typeof loadPage>>,
) {
  const { configuration, labels, ads } = page;
  const [category, changes, related] = await Promise.all([
    findCategory(client, item.category_id),
    listItemValueChanges(client, item.id),
    listRelatedItems(client, item, RELATED),
  ]);
  const history = toValueSeries(changes);
  return {
    fruit: toShownFruit(item, category, labels, configuration),
    history,
    markup: renderHistory(item.name, history),
    related,
    configuration,
    ads,
    renderedAt: Date.now(),
  };
}

export type FoundFruit = Awaited<ReturnType<typeof loadFound>>;
