import { expect, test } from "vitest";
import { lastCardPlace } from "./last-card-place.ts";

test.each([
  [0, ""],
  [8, ""],
  [9, "sm:max-lg:col-start-1 xl:max-2xl:col-start-1 2xl:col-start-1"],
  [10, "xl:max-2xl:col-start-1 2xl:col-start-1"],
  [12, "2xl:col-start-1"],
  [13, ""],
  [16, ""],
  [86, ""],
])("the last of %d cards", (cards, classes) => {
  expect(lastCardPlace(cards)).toBe(classes);
});
