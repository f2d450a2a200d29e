import type { Item } from "#app/features/items/item-queries.ts";
import type { Option } from "./choices.tsx";

/** The orders of the list and the grid. The catalogue comes sorted by name (7.read.07); unpriced values come last. */
const ORDERS = {
  name: { label: "By name", compare: () => 0 },
  value: { label: "Highest value", compare: by(({ current_value_number }) => -(current_value_number ?? -1)) },
  permanent: {
    label: "Highest permanent value",
    compare: by(({ permanent_value_number }) => -(permanent_value_number ?? -1)),
  },
  checked: {
    label: "Checked longest ago",
    compare: by(({ values_checked_at }) => Date.parse(values_checked_at)),
  },
  edited: { label: "Last edited", compare: by(({ updated_at }) => -Date.parse(updated_at)) },
};

export type ItemOrder = keyof typeof ORDERS;

export function sortItems(items: readonly Item[], order: ItemOrder): readonly Item[] {
  return order === "name" ? items : items.toSorted(ORDERS[order].compare);
}

export const orderOptions = (...orders: ItemOrder[]): Option[] =>
  orders.map((order) => [order, ORDERS[order].label]);

function by(rank: (item: Item) => number) {
  return (a: Item, b: Item) => rank(a) - rank(b);
}
