import { describe, expect, test } from "vitest";
import { shownCustomFields } from "#app/features/items/custom-fields.ts";
import { allInMode, modeOf, withMode } from "#app/routes/values/list-modes.ts";
import type { ListedItem } from "#app/routes/values/listed-item.ts";
import { packItems, unpackItems } from "#app/routes/values/pack-items.ts";

describe("the modes of a list", () => {
  test("toggling one card changes no other, and toggling back leaves no trace", () => {
    const toggled = withMode(allInMode("regular"), "kitsune", "permanent");
    expect([modeOf(toggled, "kitsune"), modeOf(toggled, "control")]).toEqual(["permanent", "regular"]);
    expect(withMode(toggled, "kitsune", "regular")).toEqual(allInMode("regular"));
  });

  test("a card set to its current mode stays in it", () => {
    const twice = withMode(withMode(allInMode("regular"), "kitsune", "permanent"), "kitsune", "permanent");
    expect(modeOf(twice, "kitsune")).toBe("permanent");
  });
});

describe("the custom fields of an item", () => {
  const stored = { custom_b: true, custom_a: "Sea 2", custom_removed: 1 };
  const labels = { custom_a: "Region", custom_b: "Tradable" };

  test("leave out removed ones and those that the page hides", () => {
    expect(shownCustomFields(stored, {}, null)).toEqual([]);
    expect(shownCustomFields(stored, labels, ["custom_b"]).map((field) => field.key)).toEqual(["custom_b"]);
  });

  test("are in the order of their definitions, with their labels", () => {
    expect(shownCustomFields(stored, labels, null)).toEqual([
      { key: "custom_a", label: "Region", text: "Sea 2" },
      { key: "custom_b", label: "Tradable", text: "Yes" },
    ]);
  });

  test("are labeled by their keys if the definitions could not be read", () => {
    expect(shownCustomFields(stored, null, null).map((field) => field.label)).toEqual(["B", "A", "Removed"]);
  });
});

test("an item unpacks to what was packed", () => {
  const item: ListedItem = {
    slug: "kitsune",
    aliases: "kit",
    name: 'Kit"sune',
    image: null,
    rarity: "mythical",
    demand: "very_high",
    type: "fruit",
    category: "mythical-fruits",
    checked: "2026-08-17",
    current_value: "640M",
    previous_value: "660M",
    permanent_value: null,
    permanent_previous_value: null,
    beli_price: "8000000",
    robux_price: "4000",
    fields: [{ key: "custom_a", label: "Region", text: "Sea 2" }],
    lines: { regular: "0059", permanent: "" },
    moved: { regular: "2026-08-11", permanent: null },
    ranges: { regular: ["515M–765M", "low"], permanent: null },
  };
  expect(unpackItems(packItems([item]))).toEqual([item]);
});
