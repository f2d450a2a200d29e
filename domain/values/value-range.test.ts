import { expect, test } from "vitest";
import { formatRange } from "./value-range.ts";

test.each([
  [515e6, 765e6, "515M–765M"],
  [5e9, 5e9, "5B"],
  [0, 0, "0"],
])("%d to %d is written %s", (low, high, text) => {
  expect(formatRange({ low, high })).toBe(text);
});
