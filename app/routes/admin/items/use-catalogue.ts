import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Category, readCategories } from "#app/features/categories/category-queries.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import { refresh } from "#app/features/live/query-client.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { type FieldDefinition, readFieldDefinitions } from "#app/routes/admin/shared/field-definitions.ts";
import { listAdminItemsAgain } from "./admin-item-queries.ts";
import { listStatusWords } from "./status/status-queries.ts";

/** The data of the item forms and the list. */
export type Catalogue = {
  /** By name. */
  items: readonly Item[];
  categories: readonly Category[];
  definitions: readonly FieldDefinition[];
  statuses: readonly string[];
};

/** The catalogue as one query. */
export function useCatalogue() {
  const queries = useQueryClient();
  const items = useRead(["items"], (client) =>
    listAdminItemsAgain(client, queries.getQueryData<Item[]>(["items"]) ?? []),
  );
  const categories = useRead(["categories"], readCategories);
  const definitions = useRead(["field_definitions"], readFieldDefinitions);
  const words = useRead(["status_words"], listStatusWords);
  const data = useMemo<Catalogue | undefined>(
    () =>
      items.data && categories.data && definitions.data && words.data
        ? {
            items: byName(items.data),
            categories: categories.data,
            definitions: definitions.data,
            statuses: words.data.map(({ word }) => word),
          }
        : undefined,
    [items.data, categories.data, definitions.data, words.data],
  );
  const failed = [items, categories, definitions, words].filter(({ isError }) => isError);
  return { data, isError: failed.length > 0, refetch: () => failed.map(({ refetch }) => refetch()) };
}

/** Shows a saved item at once, and refetches what else changed with it. */
export function usePutItem(): (item: Item) => void {
  const queries = useQueryClient();
  return useCallback(
    (item) => {
      queries.setQueryData<Item[]>(["items"], (now) => now?.map((one) => (one.id === item.id ? item : one)));
      void refresh(queries, "items");
    },
    [queries],
  );
}

const collator = new Intl.Collator("en");

function byName(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => collator.compare(a.name, b.name));
}
