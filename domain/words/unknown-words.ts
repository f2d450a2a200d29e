import type { Vocabulary } from "./vocabulary.ts";

/** A word of a text that will be hidden, and where it stands. */
export type UnknownWord = {
  /** As it was written. */
  written: string;
  /** As it is looked up: in lower case, without marks. */
  word: string;
  start: number;
  end: number;
};

/** No word of the vocabulary is longer. */
const LONGEST = 40;

/** What is no word, though it holds letters: somebody's name, a smiling face, a word with stars in it. */
const NO_WORD = /^@|[a-z]\*+[a-z]|^[:;=]['-]?[()dpo03/\\|*s>[\]]+$|^([xd:]d+|<3+|t[_.]t|[o0][_.][o0]|:v)$/i;

/**
 * The words of a text that others would not see. Only help while somebody writes: what is hidden the database alone says
 * (supabase/schemas/safe-text.sql), so what cannot be told here, such as figures, is left to it.
 */
export function findUnknownWords(text: string, vocabulary: Vocabulary): UnknownWord[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: chunk, index }) => {
    if (NO_WORD.test(chunk)) return [];
    return [...chunk.matchAll(/[\p{L}\p{M}\p{N}'’]+/gu)].flatMap((part) => {
      const { written, word } = readPart(part[0]);
      if (!/^[a-z]{2,}$/.test(word) || isKnown(word, vocabulary)) return [];
      const end = index + part.index + part[0].length;
      return [{ written, word, start: end - written.length, end }];
    });
  });
}

/** '2kits' is a figure and a word; 'sn4p' is left to the database. */
function readPart(part: string) {
  const written = part.replace(/^\d+(?=\D{3})/, "");
  return { written, word: foldWord(written) };
}

/** As the database looks words up, but for look-alikes of other scripts. */
function foldWord(written: string): string {
  return written
    .normalize("NFKD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase();
}

function isKnown(word: string, { words, slips, sometimes }: Vocabulary): boolean {
  if (word.length > LONGEST) return false;
  return spellingsOf(word).some(
    (spelling) => words.has(spelling) || slips.has(spelling) || sometimes.has(spelling),
  );
}

/** 'heyyy' is 'hey', 'cooool' is 'cool'. */
export function spellingsOf(word: string): string[] {
  if (!/(.)\1\1/.test(word)) return [word];
  return [word.replace(/(.)\1{2,}/g, "$1"), word.replace(/(.)\1{2,}/g, "$1$1")];
}
