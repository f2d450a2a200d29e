import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeResult } from "./trade-result.ts";

const total = fc.nat({ max: Number.MAX_SAFE_INTEGER });

test.each([
  [640e6, 640e6, false, { result: "Fair Trade", difference: 0 }],
  [130e6, 160e6, false, { result: "Profit", difference: 30e6 }],
  [160e6, 130e6, false, { result: "Loss", difference: 30e6 }],
  [0, 160e6, true, { result: "Not judged", difference: null }],
  [0, 0, true, { result: "Not judged", difference: null }],
])("%d for %d, unpriced %s", (yours, theirs, unpriced, result) => {
  expect(judgeResult(yours, theirs, unpriced)).toEqual(result);
});

test("one's profit is the other's loss, by the same difference", () => {
  fc.assert(
    fc.property(total, total, (yours, theirs) => {
      const mine = judgeResult(yours, theirs, false);
      const other = judgeResult(theirs, yours, false);
      const turned = { Profit: "Loss", Loss: "Profit", "Fair Trade": "Fair Trade", "Not judged": "" };
      expect(other).toEqual({ result: turned[mine.result], difference: mine.difference });
      expect(mine.difference).toBeGreaterThanOrEqual(0);
    }),
  );
});
