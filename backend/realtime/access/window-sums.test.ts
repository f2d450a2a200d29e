import { expect, test } from "vitest";
import { WindowSums } from "./window-sums.ts";

test("sums are forgotten when the window ends, without delaying others", () => {
  let now = 1_000;
  const sums = new WindowSums(5_000, () => now);
  expect(sums.add("rude", 249)).toBe(249);
  expect(sums.add("rude", 1)).toBe(250);
  sums.add("fine", 10);
  expect(["rude", "fine", "new"].map((person) => sums.of(person))).toEqual([250, 10, 0]);
  now = 5_999;
  expect(sums.of("rude")).toBe(250);
  now = 6_001;
  expect(sums.of("rude")).toBe(0);
  expect(sums.add("rude", 200)).toBe(200);
});
