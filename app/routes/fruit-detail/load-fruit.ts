import { data, type RouterContextProvider, redirect } from "react-router";
import { findAdStates } from "#app/features/ads/ad-queries.ts";
import { findCategory } from "#app/features/categories/category-queries.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { findCustomFieldLabels } from "#app/features/items/field-definition-queries.ts";
import {
  findItemBySlug,
  findSlugAfter,
  type Item,
  listRelatedItems,
} from "#app/features/items/item-queries.ts";
import {
  listDemandChanges,
  listItemChecks,
  listItemSources,
  listItemUpdates,
  listItemValueChanges,
} from "#app/features/items/value-history-queries.ts";
import { listValueRanges } from "#app/features/items/value-range-queries.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import type { Client } from "#app/features/site/client.ts";
import { readAtContext, siteContext, supabaseContext } from "#app/server-context.ts";
import { fruitHead } from "./fruit-head.ts";
import { renderTable } from "./history/history-table.tsx";
import { toShownHistory } from "./history/shown-history.ts";
import { toValueSeries, type ValueSeries } from "./history/value-series.ts";
import { toShownDemands } from "./shown-demands.ts";
import { toShownFruit } from "./shown-fruit.ts";

/** How many related items a page shows. */
const RELATED = 6;
const PLACEMENTS = ["detail_header", "detail_content", "detail_sidebar"] as const;

const HOUR = 3_600_000;

/** Not cached, since another item may get the former slug one day. */
const MOVED = { status: 301, headers: { "Cache-Control": "no-cache" } };

/** The requested slug and query, such as `?mode=permanent`. */
type Asked = { slug: string; search: string };

/** All that an item's page shows; 404 for an unknown slug, 503 if unreadable. @throws a redirect from a former slug */
export async function loadFruit(context: Readonly<RouterContextProvider>, { slug, search }: Asked) {
  const client = context.get(supabaseContext);
  const [{ item, failed }, page] = await Promise.all([findItemBySlug(client, slug), loadPage(client)]);
  if (failed) return unavailable();
  const readAt = context.get(readAtContext);
  if (!item) {
    const now = await findSlugAfter(client, slug);
    if (now.failed) return unavailable();
    if (now.slug) throw redirect(`/fruits/${now.slug}${search}`, MOVED);
    return data({ unavailable: false as const, found: null, readAt }, { status: 404 });
  }
  const found = await loadFound(client, item, page, readAt);
  const head = fruitHead(context.get(siteContext), found.fruit, page.configuration);
  return data({ unavailable: false as const, found: { ...found, head }, readAt });
}

/** What the page needs for any item. */
async function loadPage(client: Client) {
  const [configuration, labels, ads] = await Promise.all([
    findPageConfiguration(client, "fruit_detail"),
    findCustomFieldLabels(client),
    findAdStates(client, PLACEMENTS),
  ]);
  return { configuration, labels, ads };
}

async function loadFound(
  client: Client,
  item: Item,
  page: Awaited<ReturnType<typeof loadPage>>,
  readAt: number,
) {
  const { configuration, labels, ads } = page;
  const sources = listItemSources(client, item.id);
  const [category, changes, checks, related, ranges, updates, words] = await Promise.all([
    findCategory(client, item.category_id),
    listItemValueChanges(client, item.id, sources),
    listItemChecks(client, item.id),
    listRelatedItems(client, item, RELATED),
    listValueRanges(client, [item.id]),
    listItemUpdates(client, item.id),
    listDemandChanges(client, item.id, sources),
  ]);
  const range = ranges.get(item.id) ?? {};
  const history = toValueSeries(changes ?? [], [...checks, item.values_checked_at]);
  const now = drawnUntil(history, readAt);
  return {
    fruit: toShownFruit(item, category, labels, configuration, { history, range, now }),
    history: changes && toShownHistory(item.name, history, { listed: item.created_at, range, updates, now }),
    table: renderTable(item.name, history),
    demands: toShownDemands(words),
    related,
    configuration,
    ads,
  };
}

/** Rounded to the hour, so that all processes draw the same until the next one, except for what happened since. */
function drawnUntil(history: ValueSeries, readAt: number): number {
  const times = Object.values(history).flatMap((points) => points.map(({ time }) => time));
  return Math.max(readAt - (readAt % HOUR), ...times);
}

export type FoundFruit = Awaited<ReturnType<typeof loadFound>> & { head: ReturnType<typeof fruitHead> };
