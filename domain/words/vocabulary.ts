/** The words allowed in chat, as returned by `list_known_words`. */
export type Vocabulary = {
  words: ReadonlySet<string>;
  /** The common ones among them, whose typos are recognized too. */
  often: ReadonlySet<string>;
  /** Common typos of the frequent words. */
  slips: ReadonlySet<string>;
  /** Words allowed only within everyday phrases ("my mom is calling"), which only the database can check. */
  sometimes: ReadonlySet<string>;
};

/** Each list is separated by spaces. */
export function toVocabulary(words: string, often: string, sometimes = ""): Vocabulary {
  const usual = often.split(" ");
  return {
    words: new Set(words.split(" ")),
    often: new Set(usual),
    slips: new Set(usual.flatMap(slipsOf)),
    sometimes: new Set(sometimes.split(" ")),
  };
}

/** The same as `private.slips_of`: one letter left out, two swapped, or one doubled. */
function slipsOf(word: string): string[] {
  if (word.length < 5) return [];
  return Array.from(word.slice(1), (letter, index) => {
    const [before, after, next = ""] = [word.slice(0, index + 1), word.slice(index + 2), word[index + 2]];
    return [before + after, before + next + letter + after.slice(1), before + letter + letter + after];
  }).flat();
}
