/** A stored word in readable form: underscores become spaces (`very_high` → `very high`). */
export function spaced(word: string): string {
  return word.replaceAll("_", " ");
}

/** A stored word as a label: with spaces, each word capitalized (`very_high` → `Very High`). */
export function titled(word: string): string {
  return spaced(word).replace(/(^|\s)\p{L}/gu, (start) => start.toUpperCase());
}

/** A search of an address: trimmed, cut, and without null characters, which the database refuses. */
export function searchText(typed: string | null, maxLength: number): string {
  return (typed ?? "").replaceAll("\0", "").trim().slice(0, maxLength);
}
