/** What to ask and offer for a value (9.calc.02), in the value's own unit. */
export type TradeGuide = { fairLow: number; fairHigh: number; offer: number; ask: number };

/** 90 % to 110 % is fair, offer 95 %, ask 105 %; null for an unpriced item (P27). */
export function tradeGuide(value: number | null): TradeGuide | null {
  if (value === null) return null;
  const share = (percent: number) => (value * percent) / 100;
  return { fairLow: share(90), fairHigh: share(110), offer: share(95), ask: share(105) };
}
