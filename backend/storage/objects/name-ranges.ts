/** A part of a bucket's names, in byte order. */
export type NameRange = {
  /** Only names with this prefix. */
  prefix: string;
  /** Names that contain this after the prefix are grouped into one entry, a folder; "" lists all names. */
  delimiter: string;
  order: "asc" | "desc";
  /** The last entry of the previous page, or any name. */
  after?: string | null;
  /** With a delimiter only: a case-insensitive prefix of the entries, following `prefix`. */
  search?: string;
  /** Excludes an object whose name equals the prefix. */
  inside?: boolean;
};

/** The ranges of names that may begin as searched, as JSON for `partsOf`. */
export function rangesOf(range: NameRange): string {
  const ranges = searched(range);
  return JSON.stringify(range.order === "asc" ? ranges : ranges.reverse());
}

/** From the first to the last name that may begin as searched. */
export function wholeRange(range: NameRange): { low: string; high: string } {
  const ranges = searched(range);
  return { low: ranges[0]?.low ?? "", high: ranges.at(-1)?.high ?? "" };
}

/** The ranges in byte order. */
function searched(range: NameRange) {
  const { prefix, after = null, search = "" } = range;
  return beginnings(search).map((text) => cut(prefix + text, range, after));
}

/** The highest code point: no text with a given prefix sorts after prefix + LAST. */
const LAST = "\u{10ffff}";
/** Number of search letters looked up in both cases; the rest is compared. */
const LETTERS = 4;

/** All case variants of the beginning of a search, in byte order. */
function beginnings(search: string): string[] {
  let texts = [""];
  for (const letter of [...search].slice(0, LETTERS)) {
    const ways = new Set([letter.toUpperCase(), letter.toLowerCase()]);
    texts = texts.flatMap((text) => [...ways].map((way) => text + way));
  }
  return texts.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** The range of names with this prefix, without those already shown. */
function cut(start: string, { order, prefix, delimiter, inside }: NameRange, after: string | null) {
  const range = { low: inside && start === prefix ? `${start}\u0001` : start, high: start + LAST };
  if (after === null) return range;
  const isFolder = delimiter !== "" && after.endsWith(delimiter) && after.length > start.length;
  if (order === "desc") return { ...range, high: least(range.high, after) };
  return { ...range, low: greatest(range.low, isFolder ? beyond(after) : `${after}\u0001`) };
}

/** The first text after all texts with this prefix. */
function beyond(folder: string): string {
  const last = folder.codePointAt(folder.length - 1) as number;
  return folder.slice(0, -1) + String.fromCodePoint(last + 1);
}

const isBefore = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
const least = (a: string, b: string) => (isBefore(a, b) ? a : b);
const greatest = (a: string, b: string) => (isBefore(a, b) ? b : a);

/** SQL: the ranges, from a parameter with `rangesOf`. */
export const partsOf = (ranges: string) =>
  `jsonb_to_recordset(${ranges}::jsonb) as part (low text, high text)`;
