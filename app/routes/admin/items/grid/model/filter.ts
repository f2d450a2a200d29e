import type { Item } from "#app/features/items/item-queries.ts";
import { parseValue } from "#domain/values/value-text.ts";

/** What narrows the grid; an empty text narrows nothing. */
export type GridFilter = {
  search: string;
  /** A category's id, or `none`. */
  category: string;
  rarity: string;
  demand: string;
  unpriced: "" | "regular" | "permanent";
  /** Days since the last check, at least. */
  age: string;
  /** Only rows with unsaved cells. */
  unsaved: boolean;
};

export const NO_FILTER: GridFilter = {
  search: "",
  category: "",
  rarity: "",
  demand: "",
  unpriced: "",
  age: "",
  unsaved: false,
};

const DAY = 24 * 60 * 60 * 1000;

/** The items that a filter leaves, in their order, by what is published: a row does not leave while it is typed into. */
export function filterItems(
  items: readonly Item[],
  filter: GridFilter,
  { now, edited }: { now: number; edited: ReadonlySet<string> },
): readonly Item[] {
  const words = filter.search.trim().toLowerCase();
  const tests: ((item: Item) => boolean)[] = [];
  if (words)
    tests.push(({ name, slug, aliases }) =>
      [name, slug, aliases].some((text) => text.toLowerCase().includes(words)),
    );
  if (filter.category) tests.push((item) => (item.category_id ?? "none") === filter.category);
  if (filter.rarity) tests.push((item) => item.rarity === filter.rarity);
  if (filter.demand) tests.push((item) => item.demand === filter.demand);
  if (filter.unpriced === "regular") tests.push((item) => parseValue(item.current_value) === null);
  if (filter.unpriced === "permanent") tests.push((item) => parseValue(item.permanent_value) === null);
  const age = Number(filter.age) * DAY;
  if (age) tests.push((item) => now - Date.parse(item.values_checked_at) >= age);
  if (filter.unsaved) tests.push((item) => edited.has(item.id));
  return tests.length === 0 ? items : items.filter((item) => tests.every((passes) => passes(item)));
}

/** A filter of an earlier day, from a text that anybody may have changed. */
export function readFilter(stored: unknown): GridFilter {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const known = Object.entries(NO_FILTER).map(([name, none]) => [
    name,
    typeof given[name] === typeof none ? given[name] : none,
  ]);
  return Object.fromEntries(known) as GridFilter;
}

/** How many things a filter narrows by. */
export function countNarrowed(filter: GridFilter): number {
  return Object.values(filter).filter(Boolean).length;
}
