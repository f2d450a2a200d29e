/** What narrows a list: a text that the name must hold in any case, and a category's slug, null for all. */
export type ItemFilter = { search: string; category: string | null };

/** The items that pass both (specification §5: case-insensitive substring of the name). */
export function filterItems<T extends { name: string; category: string | null }>(
  items: readonly T[],
  { search, category }: ItemFilter,
): T[] {
  const wanted = search.trim().toLowerCase();
  return items.filter(
    (item) => (category === null || item.category === category) && item.name.toLowerCase().includes(wanted),
  );
}
