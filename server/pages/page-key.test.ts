import { expect, test } from "vitest";
import { toPageKey } from "./page-key.ts";

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
  expect(toPageKey("/values?category=limiteds&mode=permanent")).toBe(
    "/values?category=limiteds&mode=permanent",
  );
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
