import { nearestItems, type Searchable, searchItems } from "#domain/items/item-search.ts";

const SUGGESTIONS = 3;

/** What a text finds beyond the filters; where it finds nothing at all, what comes nearest to it. */
export function suggestNames(items: readonly Searchable[], search: string): string[] {
  if (search.trim() === "") return [];
  const found = searchItems(items, search).found.slice(0, SUGGESTIONS);
  return (found.length > 0 ? found : nearestItems(items, search, SUGGESTIONS)).map(({ name }) => name);
}
