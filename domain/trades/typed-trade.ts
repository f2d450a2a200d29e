import { exactItems, meantItems } from "../items/item-meaning.ts";
import { fold, modeAskedFor, nearestItems, type Searchable, takeMode } from "../items/item-search.ts";
import type { ViewMode } from "../values/view-mode.ts";
import { SLOTS_PER_SIDE, type Trade, type TradeSlot } from "./trade-url.ts";

/** An item that a typed trade can name; its slug goes into the slots. */
export type NamedItem = Searchable & { readonly slug: string };

type TypedItem<T> = { item: T; mode: ViewMode; count: number };

/** Words that match no single item: the `choices` they may mean, and whether several fit equally well. */
export type UnreadWords<T> = { words: string; choices: T[]; isAmbiguous: boolean };

/** Both sides as far as they were understood; `them` is null if the text does not mention that side. */
export type TypedTrade<T> = { you: TypedItem<T>[]; them: TypedItem<T>[] | null; unread: UnreadWords<T>[] };

/** No trade is longer; the rest is ignored, so that parsing stays cheap whatever is pasted. */
const MAX_CHARACTERS = 250;
/** Maximum choices offered for a word. */
const MAX_CHOICES = 4;

const DIVIDER = /[→⇒➜➡⟶↔⇄⇆]|[-=–—]+>|\b(?:for|vs|versus)\b\.?/iu;
/** Between an item and the 4 there may be a symbol such as an emoji, but none that continues a list or count. */
const FOUR = /^(.*[\p{L}\p{N}][^\p{L}\p{N}+&,;×*]*)(?<!\b(?:and|plus|x|with)\s*)\s4\s+(\p{L}.*)$/isu;
const SEPARATOR = /[+&,;\n]|\b(?:and|plus|with)\b/iu;
/** Words between the items that carry no meaning. */
const FILLERS = new Set(
  "i im m my u ur your his her their have give giving offering get trade trading the x × pls plz please w f l wfl".split(
    " ",
  ),
);
/** "p dough": how traders abbreviate permanent. */
const PERMANENT = /(?<![\p{L}\p{N}'’])p(?=\s)/giu;
const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/**
 * Parses a trade the way players write it: "perm dough + 2 portal for kitsune". Items are separated by `+`, `&`, commas
 * or "and", the sides by "for", an arrow or "vs". A count goes before or after its item ("2", "2x", "x2", "two"), and
 * so does a mode word. Never throws; unknown and ambiguous words are reported in `unread`.
 */
export function readTypedTrade<T extends NamedItem>(items: readonly T[], text: string): TypedTrade<T> {
  const [you = "", them, ...more] = splitSides(
    items,
    text.slice(0, MAX_CHARACTERS).replace(PERMANENT, "perm"),
  );
  const [yours, theirs] = [readSide(items, you), them === undefined ? null : readSide(items, them)];
  const beyond = more.map((words) => words.trim()).filter(Boolean);
  return {
    you: yours.read,
    them: theirs?.read ?? null,
    unread: [
      ...yours.unread,
      ...(theirs?.unread ?? []),
      ...beyond.map((words) => ({ words, choices: [], isAmbiguous: false })),
    ],
  };
}

/** "dough 4 kitsune": if nothing else separates the sides, a 4 after an item does. */
function splitSides<T extends NamedItem>(items: readonly T[], text: string): string[] {
  const sides = text.split(DIVIDER);
  const [, you = "", them = ""] = (sides.length === 1 && FOUR.exec(text)) || [];
  return readSide(items, you).read.length > 0 ? [you, them] : sides;
}

/** A trade filled from typed text, and how many items did not fit on each side. */
export type FilledTrade = { trade: Trade; leftOut: { you: number; them: number } };

/** Puts the typed items into the slots. A side without any recognized item stays as it was. */
export function fillTrade<T extends NamedItem>(before: Trade, { you, them }: TypedTrade<T>): FilledTrade {
  const [yours, theirs] = [fillSide(before.you, you), fillSide(before.them, them ?? [])];
  return {
    trade: { you: yours.slots, them: theirs.slots },
    leftOut: { you: yours.leftOut, them: theirs.leftOut },
  };
}

function fillSide<T extends NamedItem>(before: TradeSlot[], typed: readonly TypedItem<T>[]) {
  if (typed.length === 0) return { slots: before, leftOut: 0 };
  const wanted = typed.reduce((sum, { count }) => sum + count, 0);
  const slots: TradeSlot[] = typed
    .flatMap(({ item, mode, count }) =>
      Array<TradeSlot>(Math.min(count, SLOTS_PER_SIDE)).fill({ slug: item.slug, mode }),
    )
    .slice(0, SLOTS_PER_SIDE);
  const leftOut = Math.max(0, wanted - SLOTS_PER_SIDE);
  return { slots: [...slots, ...Array<TradeSlot>(SLOTS_PER_SIDE - slots.length).fill(null)], leftOut };
}

type ReadPart<T> = { read: TypedItem<T>[]; unread: UnreadWords<T>[] };

function readSide<T extends NamedItem>(items: readonly T[], text: string): ReadPart<T> {
  const parts = text.split(SEPARATOR).map((part) => readPart(items, part.trim()));
  return { read: parts.flatMap(({ read }) => read), unread: parts.flatMap(({ unread }) => unread) };
}

function readPart<T extends NamedItem>(items: readonly T[], part: string): ReadPart<T> {
  const { name, count, mode, found } = readItem(items, part);
  if (name === "" && found.length === 0) return { read: [], unread: [] };
  const row = readRow(items, part.split(/\s+/));
  // "portal portal": some names contain these words too, but each word is an item itself.
  if (row && row.read.length > 1 && row.unread.length === 0) return row;
  const [item] = found;
  if (item && found.length === 1) return { read: [{ item, mode, count }], unread: [] };
  if (row && found.length === 0) return row;
  const choices = found.length > 0 ? found : nearestItems(items, name, MAX_CHOICES);
  const unread = { words: name, choices: choices.slice(0, MAX_CHOICES), isAmbiguous: found.length > 0 };
  return { read: [], unread: [unread] };
}

type ItemReading<T> = { name: string; count: number; mode: ViewMode; found: T[] };

/**
 * Reads one item with its count and mode, using `find`. Tries the whole text first: "2x Mastery" is a name, not a count
 * of two.
 */
function readItem<T extends NamedItem>(
  items: readonly T[],
  part: string,
  find: typeof meantItems = meantItems,
): ItemReading<T> {
  const whole = exactItems(items, part);
  if (whole.found.length > 0)
    return { found: whole.found, name: part, count: 1, mode: whole.mode ?? "regular" };
  const numbered = find === meantItems ? findNumbered(items, part) : null;
  if (numbered) return { found: [numbered], name: part, count: 1, mode: "regular" };
  const { words, count } = takeCount(takeMode(fold(part)).words.split(" ").filter(isTelling));
  const name = words.join(" ");
  return { found: find(items, name).found, name, count, mode: modeAskedFor(part) ?? "regular" };
}

/** "2x mastry": the "2x" is not a count if it starts the name of the item that the whole text means. */
function findNumbered<T extends NamedItem>(items: readonly T[], part: string): T | null {
  const [number] = /^\d+x\b/i.exec(part) ?? [];
  if (!number) return null;
  const [item, ...others] = meantItems(items, part).found;
  const isNumbered = item?.name.toLowerCase().startsWith(number.toLowerCase());
  return item && isNumbered && others.length === 0 ? item : null;
}

const isTelling = (word: string) => word !== "" && !FILLERS.has(word);

/** Takes the count from before or after the words; 1 if there is none. */
function takeCount(words: readonly string[]): { words: readonly string[]; count: number } {
  const [first = "", last = ""] = [words[0], words.at(-1)];
  const [, glued, rest] = /^(\d{1,3})x?(\p{L}{3}.*)$/u.exec(first) ?? [];
  if (glued && rest) return { words: [rest, ...words.slice(1)], count: Number(glued) };
  const [before, after] = [countOf(first), countOf(last)];
  if (before !== null) return { words: words.slice(1), count: before };
  if (after !== null) return { words: words.slice(0, -1), count: after };
  return { words, count: 1 };
}

function countOf(word: string): number | null {
  const [, digits] = /^x?(\d{1,3})x?$/.exec(word) ?? [];
  if (digits) return Math.max(1, Number(digits));
  const place = word === "a" || word === "an" ? 0 : NUMBERS.indexOf(word);
  return place < 0 ? null : place + 1;
}

/** Consecutive items without separators, each by its exact name; null if any word is not part of one. */
function readRow<T extends NamedItem>(items: readonly T[], words: readonly string[]): ReadPart<T> | null {
  const row: ReadPart<T> = { read: [], unread: [] };
  let unknown: string[] = [];
  const endUnknown = () => {
    const text = unknown.filter((word) => fold(word).split(" ").some(isTelling)).join(" ");
    if (text)
      row.unread.push({ words: text, choices: nearestItems(items, text, MAX_CHOICES), isAmbiguous: false });
    unknown = [];
  };
  for (let start = 0; start < words.length; ) {
    const named = longestName(items, words.slice(start));
    if (named) {
      endUnknown();
      row.read.push(named.typed);
    } else unknown.push(words[start] ?? "");
    start += named?.length ?? 1;
  }
  endUnknown();
  return row.read.length > 0 ? row : null;
}

/** Names have few words, plus two for count and mode. */
const MAX_NAME_WORDS = 6;

function longestName<T extends NamedItem>(items: readonly T[], words: readonly string[]) {
  for (let length = Math.min(words.length, MAX_NAME_WORDS); length > 0; length--) {
    // A bare number counts the item after it.
    if (length < words.length && /^\d+$/.test(words[length - 1] ?? "")) continue;
    const { found, mode, count } = readItem(items, words.slice(0, length).join(" "), exactItems);
    const [item] = found;
    if (item && found.length === 1) return { typed: { item, mode, count }, length };
  }
  return null;
}
