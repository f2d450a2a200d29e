import type { Item } from "#app/features/items/item-queries.ts";

/** The sort orders of the list; by name is the first (7.read.07). */
export const ITEM_ORDERS = {
  name: "By name",
  checked: "Checked longest ago",
  value: "Highest value",
  edited: "Last edited",
} as const;
export type ItemOrder = keyof typeof ITEM_ORDERS;

export type ListChoice = {
  search: string;
  /** A category's id, `none` for items without one, empty for all. */
  category: string;
  order: ItemOrder;
};

/**
 * The items to show, in order; `items` are sorted by name already. The one being edited stays: a search must not remove
 * a form with unsaved input.
 */
export function chooseItems(
  items: readonly Item[],
  { search, category, order }: ListChoice,
  editing: string | null,
): readonly Item[] {
  const wanted = search.trim().toLowerCase();
  const shown = items.filter(
    (item) =>
      item.id === editing ||
      ((category === "" || (item.category_id ?? "none") === category) &&
        (item.name.toLowerCase().includes(wanted) || item.slug.includes(wanted))),
  );
  return order === "name" ? shown : shown.toSorted(ORDERS[order]);
}

const time = (date: string) => Date.parse(date);
const ORDERS: Record<Exclude<ItemOrder, "name">, (a: Item, b: Item) => number> = {
  checked: (a, b) => time(a.values_checked_at) - time(b.values_checked_at),
  value: (a, b) => (b.current_value_number ?? -1) - (a.current_value_number ?? -1),
  edited: (a, b) => time(b.updated_at) - time(a.updated_at),
};
