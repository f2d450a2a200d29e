/**
 * The candidate most similar to `text`: filtered by shared n-grams (trigrams, else bigrams), then ranked by edit
 * distance. Null if none reaches `minimum` (0 to 1).
 */
export function closestMatch(candidates: Iterable<string>, text: string, minimum: number): string | null {
  return rankMatches(candidates, text, minimum)[0]?.candidate ?? null;
}

export type Match = { candidate: string; score: number };

/** The cost is bounded by the candidates, not by the client-supplied text. */
export function rankMatches(candidates: Iterable<string>, text: string, minimum: number): Match[] {
  const pool = [...new Set(candidates)].map((candidate) => ({ candidate, normal: normalize(candidate) }));
  const longest = Math.max(0, ...pool.map(({ normal }) => normal.length));
  if (text.length * minimum > longest) return [];
  const wanted = normalize(text);
  const exact = pool.find(({ normal }) => normal === wanted);
  if (exact) return [{ candidate: exact.candidate, score: 1 }];
  const possible = pool.filter(({ normal }) => mostSimilarity(normal, wanted) >= minimum);
  for (const size of [3, 2]) {
    const wantedGrams = new Set(grams(wanted, size));
    const isAlike = ({ normal }: { normal: string }) =>
      grams(normal, size).some((gram) => wantedGrams.has(gram));
    const alike = possible.filter(isAlike);
    if (alike.length === 0 && !pool.some(isAlike)) continue;
    return alike
      .map(({ candidate, normal }) => ({ candidate, score: editSimilarity(normal, wanted) }))
      .filter(({ score }) => score >= minimum)
      .sort((a, b) => b.score - a.score);
  }
  return [];
}

/** Upper bound of the similarity of two texts of these lengths: each extra character is an edit. */
function mostSimilarity(a: string, b: string): number {
  return Math.min(a.length, b.length) / Math.max(a.length, b.length, 1);
}

function normalize(text: string): string {
  return text.toLowerCase();
}

function grams(text: string, size: number): string[] {
  const padded = `-${text.replace(/[^\p{L}\p{N}, ]/gu, "")}-`.padEnd(size, "-");
  return Array.from({ length: padded.length - size + 1 }, (_, start) => padded.slice(start, start + size));
}

function editSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : 1 - editDistance(a, b) / longest;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[j] as number) + 1, (current[j - 1] as number) + 1));
    }
    previous = current;
  }
  return previous[b.length] as number;
}
