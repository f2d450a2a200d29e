export type RankTest = { z: number; p: number };

/**
 * Two-sided Mann–Whitney U test, by its normal approximation with tie correction: the probability that two samples of
 * the same distribution differ at least as much in their ranks. For samples of twenty values or more.
 */
export function compareRanks(left: readonly number[], right: readonly number[]): RankTest {
  const all = [
    ...left.map((value) => ({ value, isLeft: true })),
    ...right.map((value) => ({ value, isLeft: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let ties = 0;
  for (let start = 0, end = 0; start < all.length; start = end) {
    while (all[end]?.value === all[start]?.value && end < all.length) end++;
    const count = end - start;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ isLeft }) => isLeft).length;
    ties += count ** 3 - count;
  }
  const [n, m] = [left.length, right.length];
  const size = n + m;
  const u = rankSum - (n * (n + 1)) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (size + 1 - ties / (size * (size - 1))));
  const z = deviation === 0 ? 0 : (u - (n * m) / 2) / deviation;
  return { z, p: Math.min(1, 2 * upperTail(Math.abs(z))) };
}

/** Upper tail of the standard normal distribution; Abramowitz and Stegun 26.2.17, to seven digits. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
