/** The verdicts of the calculator (4.verdict.01–09), from the point of view of "you". */
export type Verdict = "Fair Trade" | "Slightly Uneven" | "You're Overpaying" | "You're Winning";

/** One side of a trade: the sum of its priced items, and the number of filled and of unpriced slots. */
export type OfferTotal = { total: number; filled: number; unpriced: number };

/** Adds up a side's filled slots; null is a filled slot without a price. */
export function totalOffer(values: Iterable<number | null>): OfferTotal {
  const offer: OfferTotal = { total: 0, filled: 0, unpriced: 0 };
  for (const value of values) {
    offer.filled += 1;
    if (value === null) offer.unpriced += 1;
    else offer.total += value;
  }
  return offer;
}

/**
 * The judgment of a trade. `empty`: nothing on either side, shows an invitation; `unpriced`: it cannot be judged,
 * because an unpriced item would count as worthless; else the verdict. `difference` is your total minus theirs,
 * `percentage` its size as a share of your total, null if that is 0 (P9).
 */
export type Judgment =
  | { kind: "empty" }
  | { kind: "unpriced"; unpriced: number }
  | { kind: "judged"; verdict: Verdict; difference: number; percentage: number | null };

/** Judges a trade by the exact rules of 4.verdict.01–09. */
export function judgeTrade(yours: OfferTotal, theirs: OfferTotal): Judgment {
  if (yours.filled + theirs.filled === 0) return { kind: "empty" };
  const unpriced = yours.unpriced + theirs.unpriced;
  if (unpriced > 0) return { kind: "unpriced", unpriced };
  const difference = yours.total - theirs.total;
  return {
    kind: "judged",
    verdict: verdictOf(yours.total, difference),
    difference,
    percentage: shareOf(yours.total, difference),
  };
}

/**
 * Whether an uneven trade may still be fair: the difference is within the uncertainty of the values, so that both sides
 * could be worth the same. Does not change the verdict (P131).
 */
export function mayBeFair(
  judgment: Judgment,
  yours: readonly [low: number, high: number],
  theirs: readonly [low: number, high: number],
): boolean {
  return (
    judgment.kind === "judged" && judgment.difference !== 0 && yours[0] <= theirs[1] && theirs[0] <= yours[1]
  );
}

/** Exactly a tenth is no longer slightly uneven; compares products to avoid rounding errors at that boundary. */
function verdictOf(yourTotal: number, difference: number): Verdict {
  if (difference === 0) return "Fair Trade";
  if (Math.abs(difference) * 10 < yourTotal) return "Slightly Uneven";
  return difference > 0 ? "You're Overpaying" : "You're Winning";
}

/**
 * In percent, rounded to two decimals, except where that would cross the verdict's threshold: 9.996 % must not read as
 * the 10 % that the verdict denies.
 */
function shareOf(yourTotal: number, difference: number): number | null {
  if (yourTotal <= 0) return null;
  const share = Math.round((Math.abs(difference) * 10_000) / yourTotal) / 100;
  return share >= 10 && Math.abs(difference) * 10 < yourTotal ? 9.99 : share;
}
