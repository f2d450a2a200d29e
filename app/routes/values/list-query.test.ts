import fc from "fast-check";
import { expect, test } from "vitest";
import { formatListQuery, parseListQuery } from "./list-query.ts";

test("whatever is odd in an address is the default", () => {
  expect(parseListQuery("?mode=golden&category=&x=1")).toEqual({
    search: "",
    category: null,
    mode: "regular",
  });
});

test("the default choice leaves the address bare", () => {
  expect(formatListQuery({ search: "  ", category: null, mode: "regular" })).toBe("");
});

test("a choice comes back from its address", () => {
  const choice = fc.record({
    search: fc.string({ unit: "grapheme" }).map((text) => text.trim()),
    category: fc.option(fc.stringMatching(/^[a-z0-9-]{1,50}$/)),
    mode: fc.constantFrom("regular" as const, "permanent" as const),
  });
  fc.assert(
    fc.property(choice, (each) => {
      expect(parseListQuery(formatListQuery(each))).toEqual(each);
    }),
  );
});
