/** The result of a saved trade for the user who saved it (2.history.07–09, P27). */
export type TradeResult =
  | { result: "Fair Trade" | "Profit" | "Loss"; difference: number }
  | { result: "Not judged"; difference: null };

/**
 * Fair Trade if both totals are equal, Profit if yours is lower than theirs, Loss otherwise, each with the absolute
 * difference; not judged if an item of the trade has no value.
 */
export function judgeResult(yourTotal: number, theirTotal: number, hasUnpriced: boolean): TradeResult {
  if (hasUnpriced) return { result: "Not judged", difference: null };
  const difference = Math.abs(yourTotal - theirTotal);
  if (difference === 0) return { result: "Fair Trade", difference };
  return { result: yourTotal < theirTotal ? "Profit" : "Loss", difference };
}
