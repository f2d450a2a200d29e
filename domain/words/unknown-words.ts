import type { Vocabulary } from "./vocabulary.ts";

/** A word of a text that will be hidden, and its position. */
export type UnknownWord = {
  /** As written. */
  written: string;
  /** As looked up: in lower case, without accents. */
  word: string;
  start: number;
  end: number;
};

/** No word in the vocabulary is longer. */
const LONGEST = 40;

/** Contains letters but is not a word: a mention, an emoticon, a word with asterisks in it. */
const NO_WORD = /^@|[a-z]\*+[a-z]|^[:;=]['-]?[()dpo03/\\|*s>[\]]+$|^([xd:]d+|<3+|t[_.]t|[o0][_.][o0]|:v)$/i;

/**
 * Finds the words of a text that others would not see. A hint while typing: only the database decides what is hidden
 * (supabase/schemas/text/safe-text.sql), so cases that cannot be judged here, such as numbers, are left to it.
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

/** '2kits' is a number and a word; 'sn4p' is left to the database. */
function readPart(part: string) {
  const written = part.replace(/^\d+(?=\D{3})/, "");
  return { written, word: foldWord(written) };
}

/** Normalizes words as the database does, except for look-alikes from other scripts. */
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

/** 'heyyy' is 'hey', 'cooool' is 'cool', 'hahahaha' is 'haha'. */
export function spellingsOf(word: string): string[] {
  if (!/(..?)\1\1/.test(word)) return [word];
  return [/(.)\1{2,}/g, /(..)\1{2,}/g].flatMap((run) => [word.replace(run, "$1"), word.replace(run, "$1$1")]);
}
