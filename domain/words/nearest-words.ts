import { editDistance } from "./edit-distance.ts";
import { spellingsOf } from "./unknown-words.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The few known words that may have been meant, likeliest first. */
export function nearestWords(word: string, { words, often }: Vocabulary, count: number): string[] {
  const spellings = spellingsOf(word);
  const near: { known: string; far: number }[] = [];
  for (const known of words) {
    const far = Math.min(...spellings.map((spelling) => farness(spelling, known)));
    // A common word is likelier than a rare one, even if that is nearer: some known words are misspellings.
    if (far <= 2) near.push({ known, far: often.has(known) ? far - 1.25 : far });
  }
  return near
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ known }) => known);
}

/** Allows one wrong letter in short words, two in others, and rarely the first one; all else is infinitely far. */
function farness(word: string, known: string): number {
  const allowed = word.length < 5 ? 1 : 2;
  if (known.length < 3 || Math.abs(known.length - word.length) > allowed) return Infinity;
  if (known[0] !== word[0] && known[0] !== word[1] && known[1] !== word[0]) return Infinity;
  const far = editDistance(word, known);
  return far <= allowed ? far : Infinity;
}
