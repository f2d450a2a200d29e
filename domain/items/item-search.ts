import type { ViewMode } from "../values/view-mode.ts";
import { editDistance } from "../words/edit-distance.ts";

/** What is searched: an item's name, and what else players call it, separated by commas. */
export type Searchable = { readonly name: string; readonly aliases: string };

/** The items that match, the best first, and the mode that the text asked for ("perm dough"). */
export type SearchResult<T> = { found: T[]; mode: ViewMode | null };

/** Longer texts are no item's name; the rest of one is not looked at, so that a search costs little whatever is pasted. */
const MAX_CHARACTERS = 60;

/** What words mean that choose the mode, "perm", "permanant" and "physical", and are part of no name. */
function modeOf(word: string): ViewMode | null {
  if (word.startsWith("perm")) return "permanent";
  return word.startsWith("phys") ? "regular" : null;
}

/**
 * Finds items as players write them (2.values.03): names and aliases that are or hold the text, in any case and with or
 * without spaces and hyphens. Only where none does, items with all of its words in any order, then with typing errors,
 * those with the fewest other words first. Equally good ones keep the order of `items`.
 */
export function searchItems<T extends Searchable>(items: readonly T[], text: string): SearchResult<T> {
  const whole = fold(text);
  if (whole === "") return { found: [...items], mode: null };
  const literal = rank(items, (name) => literalRank(name, whole));
  const { words, mode } = takeMode(whole);
  // A text that some name holds as it is means itself, also where it has a mode's word.
  if (literal.length > 0) return { found: itemsOf(literal), mode };
  if (words === "") return { found: mode === null ? [] : [...items], mode };
  return { found: itemsOf(rankWords(items, words)), mode };
}

/** By the words as they are; only where nothing holds them, in any order, then with typing errors. */
export function rankWords<T extends Searchable>(items: readonly T[], words: string): Ranked<T>[] {
  return firstFilled([
    () => rank(items, (name) => literalRank(name, words)),
    () => rank(items, (name) => wordsRank(name, words, startsWith)),
    () => rank(items, (name) => wordsRank(name, words, isMistyped)),
  ]);
}

/** The mode that a text asks for, whatever it finds; null where it asks for none. */
export function modeAskedFor(text: string): ViewMode | null {
  return takeMode(fold(text)).mode;
}

/** The few items whose names come nearest to a text that found none; for "Did you mean". */
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

/** Letters and digits in lower case without marks; everything else is a space. */
export function fold(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The words of a folded text without those that ask for a mode, and that mode. */
export function takeMode(text: string): { words: string; mode: ViewMode | null } {
  const words = text.split(" ").flatMap(splitMode);
  const mode = words.map(modeOf).find(Boolean) ?? null;
  return { words: words.filter((word) => !modeOf(word)).join(" "), mode };
}

/** "permdough" is two words; "permenant" is one, however it is spelled. */
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

/** An item and how well it matches, 0 best. */
export type Ranked<T> = { item: T; rank: number };

/** Without their ranks. */
export const itemsOf = <T>(ranked: readonly Ranked<T>[]): T[] => ranked.map(({ item }) => item);

/** The items that `rankOf` ranks by any of their names, in the order of their best rank. */
function rank<T extends Searchable>(
  items: readonly T[],
  rankOf: (name: string) => number | null,
): Ranked<T>[] {
  return items
    .flatMap((item) => {
      const rank = best(namesOf(item).map(rankOf));
      return rank === null ? [] : [{ item, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
}

function best(ranks: (number | null)[]): number | null {
  return ranks.reduce(
    (least, each) => (each === null || (least !== null && least <= each) ? least : each),
    null,
  );
}

/** The folded names of items that were searched already: a list is searched with every keystroke. */
const foldedNames = new WeakMap<Searchable, readonly string[]>();

export function namesOf(item: Searchable): readonly string[] {
  const known = foldedNames.get(item);
  if (known) return known;
  const names = [item.name, ...item.aliases.split(",")].map(fold).filter(Boolean);
  foldedNames.set(item, names);
  return names;
}

/** 0 for the text itself, 1 for what begins with it, 2 for what holds it; spaces do not count: "trex" is "T-Rex". */
export function literalRank(name: string, text: string): number | null {
  const [tightName, tightText] = [name.replaceAll(" ", ""), text.replaceAll(" ", "")];
  if (tightName === tightText) return 0;
  if (tightName.startsWith(tightText)) return 1;
  return name.includes(text) || tightName.includes(tightText) ? 2 : null;
}

/** How many more words than the text a name has that holds all of them, and 1: it is never the name itself. */
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

/** One error in a word of four letters, two from eight on; none in a shorter one, which would be any other. */
function isMistyped(word: string, wanted: string): boolean {
  const allowed = wanted.length < 4 ? 0 : wanted.length < 8 ? 1 : 2;
  return startsWith(word, wanted) || editDistance(word.slice(0, wanted.length + allowed), wanted) <= allowed;
}

/** How far a name is from a text, from 0 (the same) to 1 (nothing in common). */
function farness(name: string, text: string): number {
  return editDistance(name, text) / Math.max(name.length, text.length);
}
