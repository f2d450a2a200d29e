import { titled } from "#domain/text/words.ts";

/** A demand or a status as it is read. */
export function describeWord(word: string | null): string {
  return word ? titled(word) : "none";
}
