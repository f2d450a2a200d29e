import { describe, expect, test } from "vitest";
import { type ImportRow, planImport, type StoredItem } from "./item-import.ts";

const FRUITS = { id: "10000000-0000-4000-8000-000000000001", slug: "fruits", name: "Rare Fruits" };
const TOKENS = { id: "10000000-0000-4000-8000-000000000002", slug: "tokens", name: "Tokens" };
const KITSUNE: StoredItem = {
  id: "20000000-0000-4000-8000-000000000001",
  updated_at: "2026-11-21T14:00:00+00:00",
  name: "Kitsune",
  slug: "kitsune",
  aliases: "kit",
  category_id: FRUITS.id,
  rarity: "mythical",
  type: "fruit",
  demand: "high",
  status: null,
  current_value: "640M",
  previous_value: "660M",
  permanent_value: "4B",
  permanent_previous_value: null,
  current_low: null,
  current_high: null,
  permanent_low: null,
  permanent_high: null,
  beli_price: "8000000",
  robux_price: "4000",
  is_permanent: false,
  image_url: "/items/kitsune.svg",
  custom_fields: { custom_origin: "Sea", custom_removed: "kept" },
};
const GROUND = {
  items: [KITSUNE],
  categories: [FRUITS, TOKENS],
  definitions: [{ name: "custom_origin", label: "Origin", type: "text", options: [], required: false }],
  statuses: ["stable", "very hyped"],
};

const planOver = (items: readonly StoredItem[], cells: Record<string, string>) =>
  planImport([{ line: 2, cells }], { ...GROUND, items })[0] as ImportRow;
const plan = (...cells: Record<string, string>[]): ImportRow[] =>
  planImport(
    cells.map((each, index) => ({ line: index + 2, cells: each })),
    GROUND,
  );
const planOne = (cells: Record<string, string>) => plan(cells)[0] as ImportRow;

const NUMBERS = "640M, 1.2B and 640,000,000 are, and N/A is an item without a value";

describe("a line is refused with its reason", () => {
  test.each([
    [{ slug: "kitsune", name: "" }, "Name is required"],
    [
      { slug: "Kit Sune", current_value: "1" },
      "Name is required; Slug must only contain lowercase letters, numbers, and hyphens; Invalid category",
    ],
    [{ slug: "new-one", name: "New", category: "fruits" }, "Value is required"],
    [{ slug: "new-one", name: "New", current_value: "1" }, "Invalid category"],
    [{ slug: "kitsune", category: "boats" }, "Invalid category"],
    [{ slug: "kitsune", rarity: "epic" }, "Invalid rarity"],
    [{ slug: "kitsune", current_value: "1".repeat(21) }, "Value is too long"],
    [
      { slug: "kitsune", current_value: "1,5M", permanent_value: "1.234.567", beli_price: "1E+09" },
      ["current_value", "permanent_value", "beli_price"]
        .map((each) => `${each} is not a number: ${NUMBERS}`)
        .join("; "),
    ],
    [{ slug: "kitsune", status: "hyped" }, "status must be one of stable, very hyped"],
    [{ slug: "kitsune", is_permanent: "maybe" }, "is_permanent must be Yes or No"],
    [{ slug: "kitsune", image_url: "javascript:alert(1)" }, "image_url must be a web address"],
  ])("%j: %s", (cells, reason) => {
    expect(planOne(cells as Record<string, string>)).toMatchObject({ kind: "refused", line: 2, reason });
  });

  test("that is about an item of an earlier line", () => {
    const rows = plan({ slug: "kitsune", beli_price: "1" }, { slug: "kitsune", beli_price: "2" });
    expect(rows[1]).toMatchObject({ kind: "refused", reason: "Line 2 is about kitsune already" });
  });
});

test("a line that says what is stored changes nothing", () => {
  expect(planOne({ slug: "kitsune", current_value: "640M", category: "Rare Fruits" }).kind).toBe("same");
  expect(planOne({ name: "Kitsune" }).kind).toBe("same");
});

test("a line may have words as the site shows them, and a slug in any case", () => {
  const row = planOne({ slug: "KITSUNE", rarity: "LEGENDARY", demand: "Very High", type: "Fruit" });
  expect(row).toMatchObject({
    kind: "changed",
    slug: "kitsune",
    item: { rarity: "legendary", demand: "very_high", type: "fruit" },
  });
});

test("a text that is no number stays where it is stored already, and N/A removes a price", () => {
  const stored = { ...KITSUNE, current_value: "soon" };
  const [row] = planImport(
    [{ line: 2, cells: { slug: "kitsune", current_value: "soon", beli_price: "n/a" } }],
    {
      ...GROUND,
      items: [stored],
    },
  );
  expect(row).toMatchObject({ kind: "changed", item: { current_value: "soon", beli_price: "n/a" } });
});

test("a line changes the columns that it has, and nothing else; a removed field's value stays", () => {
  const row = planOne({ slug: "kitsune", current_value: "1B", permanent_value: "", custom_origin: "Sky" });
  if (row.kind !== "changed") throw new Error(row.kind);
  expect(row.changes).toEqual([
    { field: "current_value", before: "640M", after: "1B", isLarge: true },
    { field: "permanent_value", before: "4B", after: "", isLarge: true },
    { field: "custom_origin", before: "Sea", after: "Sky", isLarge: false },
  ]);
  const { id, updated_at, ...columns } = KITSUNE;
  expect(row.item).toEqual({
    ...columns,
    current_value: "1B",
    permanent_value: null,
    custom_fields: { custom_origin: "Sky", custom_removed: "kept" },
  });
});

test("a line without a slug is about the one item of that name, whatever its slug is", () => {
  const renamed = { ...KITSUNE, slug: "nine-tails" };
  const cells = { name: " KITSUNE", category: "tokens", current_value: "1B" };
  expect(planOver([renamed], cells)).toMatchObject({ kind: "changed", slug: "nine-tails", stored: renamed });
  // Two of that name say nothing.
  expect(planOver([renamed, { ...renamed, slug: "kit" }], cells)).toMatchObject({
    kind: "new",
    slug: "kitsune",
  });
});

test("a new item needs name, category and value; what its line leaves out is none, not zero", () => {
  const row = planOne({ name: "Sea Lantern", category: "TOKENS", current_value: "5M", is_permanent: "yes" });
  expect(row).toMatchObject({
    kind: "new",
    slug: "sea-lantern",
    item: {
      category_id: TOKENS.id,
      rarity: "common",
      previous_value: "N/A",
      permanent_value: null,
      beli_price: null,
      is_permanent: true,
      image_url: null,
      custom_fields: {},
    },
  });
});
