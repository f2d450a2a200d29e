import fc from "fast-check";
import { expect, test } from "vitest";
import { DEMANDS } from "#domain/items/demand.ts";
import { ITEM_TYPES } from "#domain/items/item-type.ts";
import { RARITIES } from "#domain/items/rarity.ts";
import { formatListQuery, type ListChoice, NO_FACETS, parseListQuery, SORTS } from "./list-query.ts";

const DEFAULT: ListChoice = { ...NO_FACETS, search: "", category: null, mode: "regular", sort: "value" };

test("invalid values in an address become the default", () => {
  expect(parseListQuery("?mode=golden&category=&x=1&sort=luck&rarity=pink&kind=")).toEqual(DEFAULT);
});

test("the default choice has no query", () => {
  expect(formatListQuery({ ...DEFAULT, search: "  " })).toBe("");
});

test("several of a kind are repeated parameters, as a form without scripts sends them", () => {
  const choice = parseListQuery("?rarity=mythical&demand=high&rarity=rare&rarity=rare");
  expect(choice).toEqual({ ...DEFAULT, rarity: ["rare", "mythical"], demand: ["high"] });
  expect(formatListQuery(choice)).toBe("?rarity=rare&rarity=mythical&demand=high");
});

test("a choice survives the round trip through its address", () => {
  const choice = fc.record({
    search: fc.string({ unit: "grapheme" }).map((text) => text.trim()),
    category: fc.option(fc.stringMatching(/^[a-z0-9-]{1,50}$/)),
    mode: fc.constantFrom("regular" as const, "permanent" as const),
    sort: fc.constantFrom(...SORTS),
    rarity: fc.subarray([...RARITIES]),
    demand: fc.subarray([...DEMANDS]),
    kind: fc.subarray([...ITEM_TYPES]),
  });
  fc.assert(
    fc.property(choice, (each) => {
      expect(parseListQuery(formatListQuery(each))).toEqual(each);
    }),
  );
});
