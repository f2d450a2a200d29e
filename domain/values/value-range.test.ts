import { expect, test } from "vitest";
import { formatRange, parseRange } from "./value-range.ts";

test.each([
  [515e6, 765e6, "515M–765M"],
  [5e9, 5e9, "5B"],
  [0, 0, "0"],
])("%d to %d is written %s and read back", (low, high, text) => {
  expect(formatRange({ low, high })).toBe(text);
  expect(parseRange(text)).toEqual([low, high]);
});

test.each([null, undefined, "", "–", "5M–", "no range"])("%s is no range", (text) => {
  expect(parseRange(text)).toBeNull();
});
