import { expect, test } from "vitest";
import { countOf, formatCount } from "./counts.ts";

test("one is one, and words have their own plural", () => {
  expect([countOf(0, "item"), countOf(1, "item"), countOf(1087, "item")]).toEqual([
    "0 items",
    "1 item",
    "1087 items",
  ]);
  expect([countOf(1, "person", "people"), countOf(2, "person", "people")]).toEqual(["1 person", "2 people"]);
});

test("thousands are parted where there may be some", () => {
  expect([formatCount(1, "rating"), formatCount(1234, "rating")]).toEqual(["1 rating", "1,234 ratings"]);
});
