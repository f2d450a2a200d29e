/** Replaces a hidden word. */
export const HIDDEN = "####";

/**
 * The words of a text that were hidden in its stored version, without duplicates. Mentions come before the stored text;
 * if the text was changed in any other way, no words can be identified.
 */
export function findHiddenWords(written: string, stored: string): string[] {
  const [before, whole] = [chunksOf(written), chunksOf(stored)];
  const added = whole.length - before.length;
  if (added < 0 || !whole.slice(0, added).every((chunk) => chunk.startsWith("@"))) return [];
  const after = whole.slice(added);
  const hidden = before.filter((chunk, at) => after[at] === HIDDEN && chunk !== HIDDEN);
  // Strips the punctuation around each word.
  return [...new Set(hidden.map((chunk) => chunk.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") || chunk))];
}

const chunksOf = (text: string): string[] => text.match(/\S+/g) ?? [];
