/** A stored word for reading: underscores become spaces (`very_high` → `very high`). */
export function spaced(word: string): string {
  return word.replaceAll("_", " ");
}

/** A stored word as a label: spaced, each word with a capital (`very_high` → `Very High`). */
export function titled(word: string): string {
  return spaced(word).replace(/(^|\s)\p{L}/gu, (start) => start.toUpperCase());
}
