import fc from "fast-check";
import { expect, test } from "vitest";
import { averageRating, formatAverage, formatStars } from "./rating.ts";

test.each([
  [0, 0, "0"],
  [9, 2, "4.5"],
  [5, 1, "5.0"],
  [87, 20, "4.4"],
  [89, 20, "4.5"],
  [13, 3, "4.3"],
  [14, 3, "4.7"],
])("%d stars from %d people are %s", (rating_sum, rating_count, text) => {
  expect(formatAverage({ rating_sum, rating_count })).toBe(text);
});

test("the shown average is never more than half a tenth away from the true one, nor outside of 1 to 5", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (stars) => {
      const sum = { rating_sum: stars.reduce((all, each) => all + each, 0), rating_count: stars.length };
      const shown = Number(formatAverage(sum));
      expect(Math.abs(shown - averageRating(sum))).toBeLessThanOrEqual(0.05 + 1e-9);
      expect(shown).toBeGreaterThanOrEqual(1);
      expect(shown).toBeLessThanOrEqual(5);
    }),
  );
});

test("one star is one", () => {
  expect([formatStars(1), formatStars(5)]).toEqual(["1 star", "5 stars"]);
});
