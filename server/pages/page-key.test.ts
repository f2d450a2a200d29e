import { expect, test } from "vitest";
import { formatTraderQuery, type TraderQuery } from "#app/features/community/trader-query.ts";
import { type ChangeQuery, formatChangeQuery } from "#app/routes/changes/change-query.ts";
import { formatListQuery, type ListChoice } from "#app/routes/values/finder/list-query.ts";
import { pageAddress } from "#app/routes/values/found/found-items.ts";
import { toPageKey } from "./page-key.ts";

// Every choice that an address can hold, none of them the default: one more is missing here until it is added, and then
// from the key.
const LIST: ListChoice = {
  search: "kit",
  category: "limiteds",
  mode: "permanent",
  sort: "rise",
  rarity: ["rare", "mythical"],
  demand: ["high"],
  kind: ["fruit", "weapon"],
};
const CHANGES: ChangeQuery = {
  item: "dough",
  kind: "value",
  category: "limiteds",
  mode: "permanent",
  size: 25,
  before: "400",
};
const TRADERS: TraderQuery = { search: "otter", sort: "best", page: 2 };

test.each([
  pageAddress("/values", formatListQuery(LIST), 2),
  pageAddress("/values/found.json", formatListQuery(LIST), 2),
  ...["/changes", "/changes.data", "/feeds/changes.atom", "/feeds/changes.json"].map(
    (path) => path + formatChangeQuery(CHANGES),
  ),
  formatTraderQuery(TRADERS),
])("every choice in %s is part of the key", (address) => {
  const [path, query] = address.split("?");
  const params = new URLSearchParams(query);
  params.sort();
  expect(toPageKey(address)).toBe(`${path}?${params}`);
});

test("an address longer than any of ours has no key", () => {
  expect(toPageKey(`/calculator?you=${"x".repeat(3_000)}`)).toBeNull();
});

test("parameters that a page does not read share its one key", () => {
  expect(toPageKey("/?utm_source=chat&fbclid=1")).toBe("/");
  expect(toPageKey("/fruits/kitsune?x=1")).toBe("/fruits/kitsune");
});

test("parameters that a page reads are kept, in one order", () => {
  expect(toPageKey("/values?mode=permanent&x=1&category=limiteds&rarity=rare&sort=rise")).toBe(
    "/values?category=limiteds&mode=permanent&rarity=rare&sort=rise",
  );
  expect(toPageKey("/values/found.json?x=1&q=kit&page=2")).toBe("/values/found.json?page=2&q=kit");
  expect(toPageKey("/values?category=limiteds&mode=permanent")).toBe(
    "/values?category=limiteds&mode=permanent",
  );
});

test("the list of changes keeps what it is asked for, as page, data and feeds", () => {
  for (const path of ["/changes", "/changes.data", "/feeds/changes.atom", "/feeds/changes.json"]) {
    expect(toPageKey(`${path}?size=25&x=1&item=dough&before=9`)).toBe(`${path}?before=9&item=dough&size=25`);
  }
});

test("a trader's page keeps its page of ratings, the list of traders its search, order and page", () => {
  expect(toPageKey("/community/SwiftOtter100?sort=best&page=2")).toBe("/community/SwiftOtter100?page=2");
  expect(toPageKey("/community.data?page=2&x=1&q=otter&sort=best")).toBe(
    "/community.data?page=2&q=otter&sort=best",
  );
});

test("the trade in the calculator's address is kept whole", () => {
  expect(toPageKey("/calculator?you=kitsune.p&them=leopard")).toBe("/calculator?you=kitsune.p&them=leopard");
});

test("an item's page keeps the mode that it is shown in, its data is of both", () => {
  expect(toPageKey("/fruits/kitsune?mode=permanent&x=1")).toBe("/fruits/kitsune?mode=permanent");
  expect(toPageKey("/fruits/kitsune.data?mode=permanent&_routes=x")).toBe("/fruits/kitsune.data?_routes=x");
});

test("a navigation's data keeps the loaders that it names", () => {
  expect(toPageKey("/values.data?_routes=routes%2Fvalues%2Froute&x=1")).toBe(
    "/values.data?_routes=routes%2Fvalues%2Froute",
  );
  expect(toPageKey("/_root.data?x=1")).toBe("/_root.data");
});

test("what a search or a trade finds is found in the browser, so its data is read once for all of them", () => {
  expect(toPageKey("/values.data?q=dragon&mode=permanent")).toBe("/values.data");
  expect(toPageKey("/calculator.data?you=kitsune.p&_routes=x")).toBe("/calculator.data?_routes=x");
});
