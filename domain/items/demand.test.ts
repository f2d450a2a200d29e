import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEMANDS, demandScore, demandStyle, demandWord, formatDemandScore, meanDemand } from "./demand.ts";

describe("demand", () => {
  test("an unknown or missing demand takes the medium style and has no score", () => {
    for (const word of ["extreme", "", null, undefined]) {
      expect(demandStyle(word)).toBe("medium");
      expect(demandScore(word)).toBeNull();
    }
  });

  test("low to very_high score 1 to 4", () => expect(DEMANDS.map(demandScore)).toEqual([1, 2, 3, 4]));
});

describe("the demand of an offer", () => {
  test.each([
    [[], "0/10", null],
    [["extreme", null], "0/10", null],
    [["low", "medium"], "2/10", "Medium"],
    [["low", "low", "low", "high"], "2/10", "Medium"],
    [["very_high", "extreme"], "4/10", "Very High"],
    [["very_high", "very_high"], "4/10", "Very High"],
    [["low"], "1/10", "Low"],
  ])("%j is %s", (words, score, word) => {
    expect(formatDemandScore(meanDemand(words))).toBe(score);
    expect(demandWord(meanDemand(words))).toBe(word);
  });

  test("lies between the least and the greatest of its demands, in whatever order they come", () => {
    const words = fc.array(fc.constantFrom(...DEMANDS), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(words, (some) => {
        const scores = some.map((word) => demandScore(word) ?? 0);
        const { score } = meanDemand(some);
        expect(score).toBeGreaterThanOrEqual(Math.min(...scores));
        expect(score).toBeLessThanOrEqual(Math.max(...scores));
        expect(meanDemand(some.toReversed()).score).toBe(score);
      }),
    );
  });
});
