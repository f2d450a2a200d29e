import { useCallback, useEffect, useMemo, useState } from "react";
import type { Category } from "#app/features/categories/category-queries.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { type FieldDefinition, readFieldDefinitions } from "../admin/field-definitions.ts";
import { useTableNews } from "../admin/table-news.ts";
import { listAdminItems } from "./admin-item-queries.ts";
import { useItemNews } from "./use-item-news.ts";

/** What the item forms and the list stand on. */
export type Catalogue = {
  /** By name. */
  items: readonly Item[];
  categories: readonly Category[];
  definitions: readonly FieldDefinition[];
};

export type CatalogueState = {
  /** Undefined until it was read. */
  catalogue: Catalogue | undefined;
  hasFailed: boolean;
  reload(): Promise<void>;
  /** Takes items as the database gave them, in place of what was known of them. */
  put(...items: Item[]): void;
  drop(...ids: string[]): void;
};

/** The catalogue, kept up with what this admin and others write. */
export function useCatalogue(): CatalogueState {
  const site = useSiteConfig();
  const [catalogue, setCatalogue] = useState<Catalogue>();
  const [hasFailed, setFailed] = useState(false);

  const reload = useCallback(async () => {
    const read = await openSession(site)
      .then(readCatalogue)
      .catch(() => null);
    setFailed(read === null);
    if (read) setCatalogue(read);
  }, [site]);
  // Categories and fields are kept on other tabs.
  const news = useTableNews("categories", "field_definitions");
  // biome-ignore lint/correctness/useExhaustiveDependencies: news is why it reads again
  useEffect(() => void reload(), [reload, news]);

  const put = useCallback((...items: Item[]) => setCatalogue((now) => now && withItems(now, items)), []);
  const drop = useCallback(
    (...ids: string[]) =>
      setCatalogue((now) => now && { ...now, items: now.items.filter(({ id }) => !ids.includes(id)) }),
    [],
  );
  useItemNews(catalogue?.items, { put, reload });
  return useMemo(
    () => ({ catalogue, hasFailed, reload, put, drop }),
    [catalogue, hasFailed, reload, put, drop],
  );
}

async function readCatalogue(client: SessionClient): Promise<Catalogue> {
  const [items, categories, definitions] = await Promise.all([
    listAdminItems(client),
    client.from("categories").select("*").order("display_order").throwOnError(),
    readFieldDefinitions(client),
  ]);
  return { items: byName(items), categories: categories.data, definitions };
}

function withItems(catalogue: Catalogue, items: readonly Item[]): Catalogue {
  const known = new Map(catalogue.items.map((item) => [item.id, item]));
  const news = items.filter((item) => isNews(known.get(item.id), item));
  if (news.length === 0) return catalogue;
  for (const item of news) known.set(item.id, item);
  return { ...catalogue, items: byName([...known.values()]) };
}

/** An answer that was overtaken by a later one is old news. */
function isNews(known: Item | undefined, item: Item): boolean {
  return !known || stampOf(item) > stampOf(known);
}

/** When an item was last edited or checked, in milliseconds. */
export function stampOf({ updated_at, values_checked_at }: Item): number {
  return Date.parse(updated_at) + Date.parse(values_checked_at);
}

const collator = new Intl.Collator("en");

function byName(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => collator.compare(a.name, b.name));
}
