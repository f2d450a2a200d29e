import { describe, expect, test } from "vitest";
import { shownCustomFields } from "#app/features/items/custom-fields.ts";
import { allInMode, modeOf, withMode } from "#app/routes/values/list-modes.ts";
import type { ListedItem } from "#app/routes/values/listed-item.ts";
import { packItems, unpackItems } from "#app/routes/values/pack-items.ts";
import { findItems } from "./item-list.tsx";

describe("the modes of a list", () => {
  test("toggling one card changes no other, and toggling back leaves no trace", () => {
    const toggled = withMode(allInMode("regular"), "kitsune", "permanent");
    expect([modeOf(toggled, "kitsune"), modeOf(toggled, "control")]).toEqual(["permanent", "regular"]);
    expect(withMode(toggled, "kitsune", "regular")).toEqual(allInMode("regular"));
  });

  test("a card set to the mode it has stays in it", () => {
    const twice = withMode(withMode(allInMode("regular"), "kitsune", "permanent"), "kitsune", "permanent");
    expect(modeOf(twice, "kitsune")).toBe("permanent");
  });
});

const listed = (name: string, category: string | null, value: string, permanent: string | null) => ({
  name,
  category,
  aliases: "",
  current_value: value,
  previous_value: value,
  permanent_value: permanent,
  permanent_previous_value: null,
  beli_price: null,
  robux_price: null,
});

describe("the filter of a list", () => {
  const items = [
    listed("Kitsune", "mythical", "640M", "4B"),
    listed("Crimson Kitsune", "limited", "8.7B", null),
    listed("Pain", null, "50M", "9B"),
  ];
  const found = (search: string, category: string | null = null) =>
    findItems(items, { search, category, mode: "regular" }).found.map((item) => item.name);

  test("finds nothing for what no name holds", () => expect(found("zzzz")).toEqual([]));
  test("finds a part of the name in any case", () =>
    expect(found("kItS")).toEqual(["Kitsune", "Crimson Kitsune"]));
  test("joins search and category", () => expect(found("kits", "limited")).toEqual(["Crimson Kitsune"]));
  test("shows permanent values, ordered by them, where the text asks for them", () => {
    const { found: asked, mode } = findItems(items, { search: "perm", category: null, mode: "regular" });
    expect([mode, ...asked.map((item) => item.name)]).toEqual([
      "permanent",
      "Pain",
      "Kitsune",
      "Crimson Kitsune",
    ]);
  });
  test("shows all without either", () => expect(found("  ")).toHaveLength(3));
});

describe("the custom fields of an item", () => {
  const stored = { custom_b: true, custom_a: "Sea 2", custom_removed: 1 };
  const labels = { custom_a: "Region", custom_b: "Tradable" };

  test("leave out what was removed and what the page hides", () => {
    expect(shownCustomFields(stored, {}, null)).toEqual([]);
    expect(shownCustomFields(stored, labels, ["custom_b"]).map((field) => field.key)).toEqual(["custom_b"]);
  });

  test("stand in the order of their definitions, with their labels", () => {
    expect(shownCustomFields(stored, labels, null)).toEqual([
      { key: "custom_a", label: "Region", text: "Sea 2" },
      { key: "custom_b", label: "Tradable", text: "Yes" },
    ]);
  });

  test("are told by their keys when the definitions could not be read", () => {
    expect(shownCustomFields(stored, null, null).map((field) => field.label)).toEqual(["B", "A", "Removed"]);
  });
});

test("an item comes out of its packing as it went in", () => {
  const item: ListedItem = {
    slug: "kitsune",
    aliases: "kit",
    name: 'Kit"sune',
    image: null,
    rarity: "mythical",
    demand: "very_high",
    category: "mythical-fruits",
    checked: "2026-08-17",
    current_value: "640M",
    previous_value: "660M",
    permanent_value: null,
    permanent_previous_value: null,
    beli_price: "8000000",
    robux_price: "4000",
    fields: [{ key: "custom_a", label: "Region", text: "Sea 2" }],
  };
  expect(unpackItems(packItems([item]))).toEqual([item]);
});
