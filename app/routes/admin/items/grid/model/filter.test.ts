import { expect, test } from "vitest";
import type { Item } from "#app/features/items/item-queries.ts";
import { countNarrowed, filterItems, type GridFilter, NO_FILTER, readFilter } from "./filter.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const item = (id: string, more: Partial<Item>) =>
  ({
    id,
    name: `Item ${id}`,
    slug: `item-${id}`,
    aliases: "",
    category_id: "tokens",
    rarity: "common",
    demand: "low",
    current_value: "5M",
    permanent_value: null,
    values_checked_at: "2026-11-20T00:00:00Z",
    ...more,
  }) as Item;
const items = [
  item("a", { name: "Kitsune", rarity: "mythical", permanent_value: "9B" }),
  item("b", { aliases: "old fox", current_value: "N/A", category_id: null }),
  item("c", { demand: "high", values_checked_at: "2026-11-01T00:00:00Z" }),
];
const found = (filter: Partial<GridFilter>) =>
  filterItems(items, { ...NO_FILTER, ...filter }, { now: NOW, edited: new Set(["c"]) })
    .map(({ id }) => id)
    .join("");

test("filters by name, category, rarity, demand, missing values, age of the check and unsaved cells", () => {
  expect(found({})).toBe("abc");
  expect(found({ search: " KITS " })).toBe("a");
  expect(found({ search: "fox" })).toBe("b");
  expect(found({ category: "none" })).toBe("b");
  expect(found({ category: "tokens" })).toBe("ac");
  expect(found({ rarity: "mythical" })).toBe("a");
  expect(found({ demand: "high" })).toBe("c");
  expect(found({ unpriced: "regular" })).toBe("b");
  expect(found({ unpriced: "permanent" })).toBe("bc");
  expect(found({ age: "7" })).toBe("c");
  expect(found({ unsaved: true })).toBe("c");
  expect(found({ category: "tokens", unpriced: "permanent" })).toBe("c");
});

test("a stored filter is read as far as it is valid", () => {
  expect(readFilter({ search: "x", age: 7, unsaved: true, other: 1 })).toEqual({
    ...NO_FILTER,
    search: "x",
    unsaved: true,
  });
  expect(readFilter("nonsense")).toEqual(NO_FILTER);
  expect(countNarrowed(readFilter(null))).toBe(0);
  expect(countNarrowed({ ...NO_FILTER, age: "7", unsaved: true })).toBe(2);
});
