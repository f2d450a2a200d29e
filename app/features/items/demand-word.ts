import { titled } from "#domain/text/words.ts";

/** A demand or status as display text. */
export function describeWord(word: string | null): string {
  return word ? titled(word) : "none";
}
