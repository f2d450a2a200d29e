import { editDistance } from "./edit-distance.ts";
import { spellingsOf } from "./unknown-words.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The few known words that somebody may have meant, the likeliest first. */
export function nearestWords(word: string, { words, often }: Vocabulary, count: number): string[] {
  const spellings = spellingsOf(word);
  const near: { known: string; far: number }[] = [];
  for (const known of words) {
    const far = Math.min(...spellings.map((spelling) => farness(spelling, known)));
    // A usual word is meant rather than a rare one, though that may be nearer: some are known misspellings.
    if (far <= 2) near.push({ known, far: often.has(known) ? far - 1.25 : far });
  }
  return near
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ known }) => known);
}

/** Of short words one letter may be wrong, of others two, and hardly ever the first one: all else is infinitely far. */
function farness(word: string, known: string): number {
  const allowed = word.length < 5 ? 1 : 2;
  if (known.length < 3 || Math.abs(known.length - word.length) > allowed) return Infinity;
  if (known[0] !== word[0] && known[0] !== word[1] && known[1] !== word[0]) return Infinity;
  const far = editDistance(word, known);
  return far <= allowed ? far : Infinity;
}
