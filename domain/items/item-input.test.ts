import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findRangeFaults, ITEM_COLUMNS, NEW_ITEM, parseItem, textsOfItem } from "./item-input.ts";

const CATEGORY = "10000000-0000-4000-8000-000000000001";
const GOOD = { ...NEW_ITEM, name: "Kitsune", category_id: CATEGORY };

describe("an item is refused", () => {
  test.each([
    ["name", "", "Name is required"],
    ["name", " \t", "Name is required"],
    ["name", "x".repeat(101), "Name must be less than 100 characters"],
    ["slug", "Big Fruit", "Slug must only contain lowercase letters, numbers, and hyphens"],
    ["slug", "é", "Slug must only contain lowercase letters, numbers, and hyphens"],
    ["slug", "a_b", "Slug must only contain lowercase letters, numbers, and hyphens"],
    ["slug", "a".repeat(101), "Slug must be at most 100 characters"],
    ["category_id", "", "Invalid category"],
    ["category_id", "fruits", "Invalid category"],
    ["rarity", "epic", "Invalid rarity"],
    ["type", "boat", "Invalid type"],
    ["demand", "none", "Invalid demand level"],
    ["current_value", " ", "Value is required"],
    ["previous_value", "", "Value is required"],
    ["current_value", "1".repeat(21), "Value is too long"],
    ["previous_value", "1".repeat(21), "Value is too long"],
    ["robux_price", "1".repeat(21), "Value is too long"],
  ])("for %s %j: %s", (field, text, sentence) => {
    expect(parseItem({ ...GOOD, [field]: text })).toEqual({ ok: false, faults: { [field]: sentence } });
  });

  test("with the first fault of the form first", () => {
    const reading = parseItem({ ...NEW_ITEM, demand: "none" });
    expect(reading.ok || Object.keys(reading.faults)).toEqual(["name", "category_id", "demand"]);
  });

  test("when its name has nothing to make a slug of", () => {
    expect(parseItem({ ...GOOD, name: "???" })).toMatchObject({
      faults: { slug: expect.stringContaining("Slug is required") },
    });
  });
});

test("both ends of each limit are allowed, in code points, and white space around does not count", () => {
  const item = {
    ...GOOD,
    name: ` ${"😀".repeat(100)} `,
    slug: "a".repeat(100),
    current_value: "9".repeat(20),
  };
  expect(parseItem(item)).toMatchObject({ ok: true, item: { name: "😀".repeat(100) } });
});

test("an empty slug becomes the name's, an empty optional value nothing, and 0 stays a real zero", () => {
  expect(
    parseItem({ ...GOOD, name: "Doghouse (Frame Break)", permanent_value: " \u200b", beli_price: "\u200b0" }),
  ).toMatchObject({
    ok: true,
    item: { slug: "doghouse-frame-break", permanent_value: null, beli_price: "0", current_value: "0" },
  });
});

test("what was read once reads the same again, whatever was typed", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom("5B", "640M", "a-1", "", "rare", "low", "fruit", CATEGORY),
  );
  const typed = fc.record(
    Object.fromEntries(ITEM_COLUMNS.map((column) => [column, fc.oneof(text, fc.boolean())])),
  );
  fc.assert(
    fc.property(typed, (texts) => {
      const first = parseItem({ ...GOOD, ...texts });
      if (first.ok) expect(parseItem(textsOfItem(first.item))).toEqual(first);
      else expect(Object.values(first.faults).every(Boolean)).toBe(true);
    }),
  );
});

test.each([
  [{ current_low: "600M", current_high: "700M" }, {}],
  [{ current_low: "640M", current_high: "640M" }, {}],
  [{ current_low: "641M" }, { current_low: "At most the value" }],
  [{ current_high: "a lot" }, { current_high: "At least the value" }],
  [{ permanent_low: "1" }, { permanent_low: "At most the permanent value" }],
])("a range that does not hold its value is told at its end: %j", (texts, faults) => {
  const reading = parseItem({ ...GOOD, current_value: "640M", ...texts });
  expect(reading.ok && findRangeFaults(reading.item)).toEqual(faults);
});

test("a range that was left as it was is for the database to drop", () => {
  const before = { current_low: "600M", current_high: "700M", permanent_low: null, permanent_high: null };
  const reading = parseItem({ ...GOOD, current_value: "800M", current_low: "600M", current_high: "700M" });
  expect(reading.ok && findRangeFaults(reading.item, before)).toEqual({});
  const touched = parseItem({ ...GOOD, current_value: "800M", current_low: "650M", current_high: "700M" });
  expect(touched.ok && findRangeFaults(touched.item, before)).toEqual({ current_high: "At least the value" });
});
