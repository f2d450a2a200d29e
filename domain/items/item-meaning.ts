import {
  fold,
  itemsOf,
  literalRank,
  namesOf,
  type Ranked,
  rankWords,
  type Searchable,
  type SearchResult,
  takeMode,
} from "./item-search.ts";

/** Shorter texts match exact names only: any name could contain them by chance. */
const TELLING_CHARACTERS = 3;

/** The items that a text may mean, without mere partial matches: "port" is Portal, not Divine Portal. */
export function meantItems<T extends Searchable>(items: readonly T[], text: string): SearchResult<T> {
  const exact = exactItems(items, text);
  if (exact.found.length > 0) return exact;
  const { words, mode } = takeMode(fold(text));
  return { found: words.length < TELLING_CHARACTERS ? [] : nearestOf(rankWords(items, words)), mode };
}

/** The items with exactly this name or alias, with or without a mode word; rarely more than one. */
export function exactItems<T extends Searchable>(items: readonly T[], text: string): SearchResult<T> {
  const whole = fold(text);
  const { words, mode } = takeMode(whole);
  const called = (name: string) =>
    items.filter((item) => name !== "" && namesOf(item).some((each) => literalRank(each, name) === 0));
  const found = called(whole);
  // The word is part of the name, so no mode is requested.
  if (found.length > 0) return { found, mode: null };
  return { found: words === whole ? [] : called(words), mode };
}

function nearestOf<T>(ranked: readonly Ranked<T>[]): T[] {
  return itemsOf(ranked.filter(({ rank }) => rank === ranked[0]?.rank));
}
