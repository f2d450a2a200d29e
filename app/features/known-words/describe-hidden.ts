import { HIDDEN } from "#domain/words/hidden-words.ts";

/** Tells the writer which words of their text are hidden from others; empty if they cannot be named. */
export function describeHidden(words: readonly string[]): string {
  if (words.length === 0) return `Nobody sees what is shown as ${HIDDEN}: the site doesn’t know it.`;
  const named = new Intl.ListFormat("en").format(words.map((word) => `“${word}”`));
  return `Nobody sees ${named}: ${words.length === 1 ? "the site doesn’t know this word" : "the site doesn’t know these words"}.`;
}
