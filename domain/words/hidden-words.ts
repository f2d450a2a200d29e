/** What stands in the place of a word that nobody sees. */
export const HIDDEN = "####";

/**
 * The words of a text that were hidden in what is stored, each once. There those who are meant stand before it; of a text
 * that was changed otherwise no word can be named.
 */
export function findHiddenWords(written: string, stored: string): string[] {
  const [before, whole] = [chunksOf(written), chunksOf(stored)];
  const added = whole.length - before.length;
  if (added < 0 || !whole.slice(0, added).every((chunk) => chunk.startsWith("@"))) return [];
  const after = whole.slice(added);
  const hidden = before.filter((chunk, at) => after[at] === HIDDEN && chunk !== HIDDEN);
  // Of what stands around a word nothing has to be said.
  return [...new Set(hidden.map((chunk) => chunk.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") || chunk))];
}

const chunksOf = (text: string): string[] => text.match(/\S+/g) ?? [];
