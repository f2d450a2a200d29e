/** The words that people may write to each other, as `list_known_words` tells them. */
export type Vocabulary = {
  words: ReadonlySet<string>;
  /** Of these, the usual ones: their slips are known, too. */
  often: ReadonlySet<string>;
  /** How the usual ones are misspelt by a hurried thumb. */
  slips: ReadonlySet<string>;
  /** Those that only everyday clauses may hold ("my mom is calling"), which the database alone can tell. */
  sometimes: ReadonlySet<string>;
};

/** Each list is parted by blanks. */
export function toVocabulary(words: string, often: string, sometimes = ""): Vocabulary {
  const usual = often.split(" ");
  return {
    words: new Set(words.split(" ")),
    often: new Set(usual),
    slips: new Set(usual.flatMap(slipsOf)),
    sometimes: new Set(sometimes.split(" ")),
  };
}

/** The same as `private.slips_of`: a letter left out, two swapped, one pressed twice. */
function slipsOf(word: string): string[] {
  if (word.length < 5) return [];
  return Array.from(word.slice(1), (letter, index) => {
    const [before, after, next = ""] = [word.slice(0, index + 1), word.slice(index + 2), word[index + 2]];
    return [before + after, before + next + letter + after.slice(1), before + letter + letter + after];
  }).flat();
}
