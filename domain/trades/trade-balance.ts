import { judgeResult } from "./trade-result.ts";

/** The totals of a saved trade. */
export type TradeTotals = { your_total: number; their_total: number; has_unpriced: boolean };

/** The combined result of several trades. */
export type TradeBalance = {
  /** Net gain over all judged trades; negative if more was given than received. */
  net: number;
  profits: number;
  losses: number;
  fair: number;
  /** The balance after each judged trade, in the order of the trades. */
  steps: number[];
};

/** Adds up trades in order, skipping those that cannot be judged (P27). */
export function sumUpTrades(trades: Iterable<TradeTotals>): TradeBalance {
  const balance: TradeBalance = { net: 0, profits: 0, losses: 0, fair: 0, steps: [] };
  for (const { your_total, their_total, has_unpriced } of trades) {
    const { result } = judgeResult(your_total, their_total, has_unpriced);
    if (result === "Not judged") continue;
    if (result === "Profit") balance.profits += 1;
    else if (result === "Loss") balance.losses += 1;
    else balance.fair += 1;
    balance.net += their_total - your_total;
    balance.steps.push(balance.net);
  }
  return balance;
}
