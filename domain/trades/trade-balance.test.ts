import fc from "fast-check";
import { expect, test } from "vitest";
import { sumUpTrades } from "./trade-balance.ts";

const trade = fc.record({
  your_total: fc.nat({ max: 1e12 }),
  their_total: fc.nat({ max: 1e12 }),
  has_unpriced: fc.boolean(),
});

test("profits and losses add up in order, what cannot be judged is left out", () => {
  const totals = (your_total: number, their_total: number, has_unpriced = false) => ({
    your_total,
    their_total,
    has_unpriced,
  });
  expect(sumUpTrades([totals(130, 160), totals(0, 500, true), totals(90, 10), totals(5, 5)])).toEqual({
    net: -50,
    profits: 1,
    losses: 1,
    fair: 1,
    steps: [30, -50, -50],
  });
  expect(sumUpTrades([])).toEqual({ net: 0, profits: 0, losses: 0, fair: 0, steps: [] });
});

test("every judged trade is counted once, and the last step is the balance", () => {
  fc.assert(
    fc.property(fc.array(trade), (trades) => {
      const { net, profits, losses, fair, steps } = sumUpTrades(trades);
      const judged = trades.filter(({ has_unpriced }) => !has_unpriced);
      expect(profits + losses + fair).toBe(judged.length);
      expect(steps).toHaveLength(judged.length);
      expect(net).toBe(steps.at(-1) ?? 0);
    }),
  );
});
