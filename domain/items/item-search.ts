import type { ViewMode } from "../values/view-mode.ts";
import { editDistance } from "../words/edit-distance.ts";

/** The searchable parts of an item: its name, and other names players use, separated by commas. */
export type Searchable = { readonly name: string; readonly aliases: string };

/** The matching items, best first, and the mode that the text requested ("perm dough"). */
export type SearchResult<T> = { found: T[]; mode: ViewMode | null };

/** No item's name is longer; the rest is ignored, so that a search stays cheap whatever is pasted. */
const MAX_CHARACTERS = 60;

/** The mode a word requests ("perm", "permanant", "physical"); such words are part of no name. */
function modeOf(word: string): ViewMode | null {
  if (word.startsWith("perm")) return "permanent";
  return word.startsWith("phys") ? "regular" : null;
}

/**
 * Finds items by the way players write them (2.values.03): names and aliases that equal or contain the text, ignoring
 * case, spaces and hyphens. If there are none, items with all of its words in any order; then the same with typos,
 * fewest extra words first. Equal matches keep the order of `items`.
 */
export function searchItems<T extends Searchable>(items: readonly T[], text: string): SearchResult<T> {
  const whole = fold(text);
  if (whole === "") return { found: text.trim() === "" ? [...items] : [], mode: null };
  const literal = rank(items, (name) => literalRank(name, whole));
  const { words, mode } = takeMode(whole);
  // A text that some name literally contains means itself, even if it contains a mode word.
  if (literal.length > 0) return { found: itemsOf(literal), mode };
  if (words === "") return { found: mode === null ? [] : [...items], mode };
  return { found: itemsOf(rankWords(items, words)), mode };
}

/** Tries literal matches; if there are none, all words in any order, then with typos. */
export function rankWords<T extends Searchable>(items: readonly T[], words: string): Ranked<T>[] {
  return firstFilled([
    () => rank(items, (name) => literalRank(name, words)),
    () => rank(items, (name) => wordsRank(name, words, startsWith)),
    () => rank(items, (name) => wordsRank(name, words, isMistyped)),
  ]);
}

/** The mode that a text requests, whatever it finds; null if none. */
export function modeAskedFor(text: string): ViewMode | null {
  return takeMode(fold(text)).mode;
}

/** The few items with the names closest to a text without matches, for "Did you mean". */
export function nearestItems<T extends Searchable>(items: readonly T[], text: string, count: number): T[] {
  const { words } = takeMode(fold(text));
  if (words === "") return [];
  const near = items.map((item) => ({
    item,
    far: Math.min(...namesOf(item).map((name) => farness(name, words))),
  }));
  return near
    .filter(({ far }) => far <= 0.6)
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ item }) => item);
}

/** Lowercases and strips accents; everything but letters and digits becomes a space. */
export function fold(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The words of a folded text without those that request a mode, and that mode. */
export function takeMode(text: string): { words: string; mode: ViewMode | null } {
  const words = text.split(" ").flatMap(splitMode);
  const mode = words.map(modeOf).find(Boolean) ?? null;
  return { words: words.filter((word) => !modeOf(word)).join(" "), mode };
}

/** "permdough" is two words; "permenant" is one, misspelled or not. */
function splitMode(word: string): string[] {
  const [, mode, rest] = /^(perm|phys)(..+)$/u.exec(word) ?? [];
  const isGlued = mode && rest && editDistance(word, mode === "perm" ? "permanent" : "physical") > 3;
  return isGlued ? [mode, rest] : [word];
}

function firstFilled<T>(steps: readonly (() => T[])[]): T[] {
  for (const step of steps) {
    const found = step();
    if (found.length > 0) return found;
  }
  return [];
}

/** An item and how well it matches; 0 is best. */
export type Ranked<T> = { item: T; rank: number };

/** Without their ranks. */
export const itemsOf = <T>(ranked: readonly Ranked<T>[]): T[] => ranked.map(({ item }) => item);

/**
 * The items for which `rankOf` ranks any of their names, by their best rank. Half a rank lower is what only an alias
 * matches: "dou" is Dough before 2x Mastery, which some call double mastery.
 */
function rank<T extends Searchable>(
  items: readonly T[],
  rankOf: (name: string) => number | null,
): Ranked<T>[] {
  return items
    .flatMap((item) => {
      const ranks = namesOf(item).map(rankOf);
      const rank = best(ranks);
      return rank === null ? [] : [{ item, rank: ranks[0] === null ? rank + 0.5 : rank }];
    })
    .sort((a, b) => a.rank - b.rank);
}

function best(ranks: (number | null)[]): number | null {
  return ranks.reduce(
    (least, each) => (each === null || (least !== null && least <= each) ? least : each),
    null,
  );
}

/** Caches folded names, since a list is searched on every keystroke. */
const foldedNames = new WeakMap<Searchable, readonly string[]>();

export function namesOf(item: Searchable): readonly string[] {
  const known = foldedNames.get(item);
  if (known) return known;
  const names = [item.name, ...item.aliases.split(",")].map(fold).filter(Boolean);
  foldedNames.set(item, names);
  return names;
}

/** 0 if equal, 1 if the name starts with the text, 2 if it contains it; spaces are ignored: "trex" is "T-Rex". */
export function literalRank(name: string, text: string): number | null {
  const [tightName, tightText] = [name.replaceAll(" ", ""), text.replaceAll(" ", "")];
  if (tightName === tightText) return 0;
  if (tightName.startsWith(tightText)) return 1;
  return name.includes(text) || tightName.includes(tightText) ? 2 : null;
}

/** 1 plus the number of extra words in a name that contains all words of the text; never 0, which means equal. */
function wordsRank(
  name: string,
  text: string,
  matches: (word: string, wanted: string) => boolean,
): number | null {
  const [words, wantedWords] = [name.split(" "), text.split(" ")];
  const holdsAll = wantedWords.every((wanted) => words.some((word) => matches(word, wanted)));
  return holdsAll ? 1 + Math.max(0, words.length - wantedWords.length) : null;
}

const startsWith = (word: string, wanted: string) => word.startsWith(wanted);

/** Allows one error in a word of four letters, two from eight on; none in shorter ones, which would match anything. */
function isMistyped(word: string, wanted: string): boolean {
  const allowed = wanted.length < 4 ? 0 : wanted.length < 8 ? 1 : 2;
  return startsWith(word, wanted) || editDistance(word.slice(0, wanted.length + allowed), wanted) <= allowed;
}

/** Distance of a name from a text, from 0 (equal) to 1 (nothing in common). */
function farness(name: string, text: string): number {
  return editDistance(name, text) / Math.max(name.length, text.length);
}
