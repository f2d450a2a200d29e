import type { Item } from "#app/features/items/item-queries.ts";
import { parseValue } from "#domain/values/value-text.ts";

/** The grid's filter; empty texts filter nothing. */
export type GridFilter = {
  search: string;
  /** A category's id, or `none`. */
  category: string;
  rarity: string;
  demand: string;
  unpriced: "" | "regular" | "permanent";
  /** The minimum number of days since the last check. */
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

/** The items that match, by their published values, so that a row does not disappear while it is edited. */
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

/** Reads a stored filter, whose text may have been changed by anyone. */
export function readFilter(stored: unknown): GridFilter {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const known = Object.entries(NO_FILTER).map(([name, none]) => [
    name,
    typeof given[name] === typeof none ? given[name] : none,
  ]);
  return Object.fromEntries(known) as GridFilter;
}

export function countNarrowed(filter: GridFilter): number {
  return Object.values(filter).filter(Boolean).length;
}
