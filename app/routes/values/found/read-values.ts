import { setImmediate as nextTurn } from "node:timers/promises";
import { type Category, listCategories } from "#app/features/categories/category-queries.ts";
import { findCustomFieldLabels } from "#app/features/items/field-definition-queries.ts";
import { listBriefItems, listDearestItems, listItemsOf } from "#app/features/items/item-queries.ts";
import { listRecentReadings, listRecentReadingsOf } from "#app/features/items/value-history-queries.ts";
import { listValueRanges } from "#app/features/items/value-range-queries.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import type { Client } from "#app/features/site/client.ts";
import { medianDay } from "#domain/text/dates.ts";
import { findItems } from "../find-items.ts";
import { applicable, formatListQuery, parseListQuery } from "../finder/list-query.ts";
import { toListedItems } from "../listed-item.ts";
import { packItems } from "../pack-items.ts";
import { type FoundItems, ITEMS_A_PAGE, pageOf } from "./found-items.ts";
import { suggestNames } from "./suggest-names.ts";

/** The matching items for a query, and what else the page shows; null if the items could not be read. */
export async function readValues(client: Client, query: string) {
  const [first, readings, categories, configuration, labels] = await Promise.all([
    listDearestItems(client, ITEMS_A_PAGE),
    listRecentReadings(client, ITEMS_A_PAGE),
    listCategories(client),
    findPageConfiguration(client, "values"),
    findCustomFieldLabels(client),
  ]);
  if (!first) return null;
  const pack = async (items: typeof first.items, recent: typeof readings) => {
    const ranges = await listValueRanges(
      client,
      items.map(({ id }) => id),
    );
    return packItems(toListedItems(items, categories, labels, configuration, recent, ranges));
  };
  if (first.count <= first.items.length) {
    return { found: asComplete(await pack(first.items, readings), first.count), categories, configuration };
  }
  const left = await findAmongAll(client, categories, query);
  const items = left && (await listItemsOf(client, left.ids));
  if (!items) return null;
  const recent = await listRecentReadingsOf(client, left.ids);
  const found: FoundItems = { isWhole: false, items: await pack(items, recent), ...left.found };
  return { found, categories, configuration };
}

function asComplete(items: string, count: number): FoundItems {
  return { isWhole: true, items, query: "", page: 1, count, median: null, near: [] };
}

/** Searches a long catalogue as the browser does a short one. */
async function findAmongAll(client: Client, categories: readonly Category[], query: string) {
  const brief = await listBriefItems(client);
  if (!brief) return null;
  const choice = applicable(parseListQuery(query), categories);
  const slugs = new Map(categories.map(({ id, slug }) => [id, slug]));
  const all = brief.map((item) => ({
    ...item,
    category: slugs.get(item.category_id ?? "") ?? null,
    checked: item.values_checked_at.slice(0, 10),
  }));
  // Yields to other requests between the steps.
  await nextTurn();
  const { found } = findItems(all, choice);
  await nextTurn();
  const page = Math.min(pageOf(query), Math.max(1, Math.ceil(found.length / ITEMS_A_PAGE)));
  return {
    ids: found.slice((page - 1) * ITEMS_A_PAGE, page * ITEMS_A_PAGE).map(({ id }) => id),
    found: {
      query: formatListQuery(choice),
      page,
      count: found.length,
      median: medianDay(found.map(({ checked }) => checked)),
      near: found.length === 0 ? suggestNames(all, choice.search) : [],
    },
  };
}
