import { nearestItems, type Searchable, searchItems } from "#domain/items/item-search.ts";

const SUGGESTIONS = 3;

/** What a search finds regardless of the filters; if nothing, the most similar names. */
export function suggestNames(items: readonly Searchable[], search: string): string[] {
  if (search.trim() === "") return [];
  const found = searchItems(items, search).found.slice(0, SUGGESTIONS);
  return (found.length > 0 ? found : nearestItems(items, search, SUGGESTIONS)).map(({ name }) => name);
}
