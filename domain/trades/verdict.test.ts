import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeTrade, mayBeFair, totalOffer } from "./verdict.ts";

const judge = (yours: (number | null)[], theirs: (number | null)[]) =>
  judgeTrade(totalOffer(yours), totalOffer(theirs));

describe("the verdict", () => {
  test("two empty sides are an invitation", () => expect(judge([], [])).toEqual({ kind: "empty" }));

  test("a trade with an unpriced item cannot be judged, whatever else it holds", () => {
    expect(judge([null], [100])).toEqual({ kind: "unpriced", unpriced: 1 });
    expect(judge([null, 5], [null, 100])).toEqual({ kind: "unpriced", unpriced: 2 });
  });

  test.each([
    ["the same on both sides", [160e6], [160e6], "Fair Trade", 0, 0],
    ["two items worth nothing", [0], [0], "Fair Trade", 0, null],
    ["3.03 % of yours", [640e6, 20e6], [640e6], "Slightly Uneven", 20e6, 3.03],
    ["exactly 10 % above theirs", [160e6, 60e6, 60e6, 20e6], [270e6], "You're Overpaying", 30e6, 10],
    ["exactly 10 % below theirs", [300e6], [330e6], "You're Winning", -30e6, 10],
    ["a hair under 10 %", [1e12], [0.9e12 + 1], "Slightly Uneven", 1e11 - 1, 9.99],
    ["116.666… %", [6], [13], "You're Winning", -7, 116.67],
    ["a hair over 10 %", [1e12], [0.9e12 - 1], "You're Overpaying", 1e11 + 1, 10],
    ["what rounds up below 10 %", [10_000], [9_001], "Slightly Uneven", 999, 9.99],
    ["66.666… %", [3], [1], "You're Overpaying", 2, 66.67],
    ["a tenth of theirs but not of yours", [100], [110], "You're Winning", -10, 10],
    ["Kitsune against Control", [640e6], [160e6], "You're Overpaying", 480e6, 75],
    ["Control against Kitsune", [160e6], [640e6], "You're Winning", -480e6, 300],
    ["nothing against something", [], [20e6], "You're Winning", -20e6, null],
    ["something against nothing", [20e6], [], "You're Overpaying", 20e6, 100],
  ])("%s", (_name, yours, theirs, verdict, difference, percentage) => {
    expect(judge(yours, theirs)).toEqual({ kind: "judged", verdict, difference, percentage });
  });

  test("exactly a tenth is never slightly uneven, one less always is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1e13 }), fc.constantFrom(1, -1), (tenth, sign) => {
        const yours = tenth * 10;
        const exact = judge([yours], [yours - sign * tenth]);
        const less = judge([yours], [yours - sign * (tenth - 1)]);
        expect(exact).toMatchObject({
          verdict: sign > 0 ? "You're Overpaying" : "You're Winning",
          percentage: 10,
        });
        expect(less).toMatchObject({ verdict: "Slightly Uneven" });
        expect(less).not.toMatchObject({ percentage: 10 });
      }),
    );
  });

  test("overpaying and winning are never said of the wrong side", () => {
    const side = fc.array(fc.nat(1e12), { maxLength: 9 });
    fc.assert(
      fc.property(side, side, (yours, theirs) => {
        const judgment = judge(yours, theirs);
        if (judgment.kind !== "judged") return;
        if (judgment.verdict === "You're Overpaying") expect(judgment.difference).toBeGreaterThan(0);
        if (judgment.verdict === "You're Winning") expect(judgment.difference).toBeLessThan(0);
        expect(judgment.percentage ?? 0).not.toBeNaN();
      }),
    );
  });
});

test.each([
  ["ranges overlap", [110], [100], [90, 120], [95, 105], true],
  ["ranges touch", [110], [100], [105, 120], [95, 105], true],
  ["ranges lie apart", [110], [100], [106, 120], [95, 105], false],
  ["theirs lies above", [100], [200], [90, 110], [150, 250], false],
  ["it is even anyway", [100], [100], [90, 110], [90, 110], false],
  ["nothing is judged", [null], [100], [0, 0], [0, 100], false],
] as const)("may be fair where %s: %j for %j", (_, yours, theirs, yourRange, theirRange, may) => {
  expect(mayBeFair(judge([...yours], [...theirs]), yourRange, theirRange)).toBe(may);
});
