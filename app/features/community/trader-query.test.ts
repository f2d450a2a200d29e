import fc from "fast-check";
import { expect, test } from "vitest";
import { countPages, formatTraderQuery, parseTraderQuery, TRADER_SORTS } from "./trader-query.ts";

const parse = (query: string) => parseTraderQuery(new URLSearchParams(query));

test.each(["", "page=0", "page=-1", "page=1.5", "page=x", "page=1e3", "sort=worst", "q=%20", "q=%00"])(
  "%j is the beginning of the list",
  (query) => {
    expect(parse(query)).toEqual({ search: "", sort: "name", page: 1 });
  },
);

test("no page number or search in the address is too large for the database", () => {
  expect(parse("page=9999999").page).toBe(1_000_000);
  expect(parse("page=99999999999999").page).toBe(1);
  expect(parse(`q=${"x".repeat(3000)}`).search).toHaveLength(40);
});

test("a choice survives the round trip through the address", () => {
  const query = fc.record({
    search: fc.stringMatching(/^\w{0,20}$/),
    sort: fc.constantFrom(...TRADER_SORTS.map(({ sort }) => sort)),
    page: fc.integer({ min: 1, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(query, (chosen) => {
      const address = new URL(formatTraderQuery(chosen), "http://localhost");
      expect(parseTraderQuery(address.searchParams)).toEqual(chosen);
    }),
  );
});

test("a page beyond the end is the last one, as the database counts", () => {
  expect(countPages(50_000, 24, 1)).toEqual({ page: 1, pages: 2084 });
  expect(countPages(50_000, 24, 99_999)).toEqual({ page: 2084, pages: 2084 });
  expect(countPages(0, 24, 3)).toEqual({ page: 1, pages: 1 });
});
