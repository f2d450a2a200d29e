import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";

/** A range of a bucket's names, in byte order. */
export type Walk = {
  bucket: string;
  /** Only names with this prefix. */
  prefix: string;
  /** Names that contain this after the prefix are grouped into one entry, a folder; "" lists all names. */
  delimiter: string;
  order: "asc" | "desc";
  /** The last entry of the previous page, or any name. */
  after?: string | null;
  /** A case-insensitive prefix of the entries, following `prefix`. */
  search?: string;
  /** Excludes an object whose name equals the prefix. */
  inside?: boolean;
  limit: number;
  offset?: number;
};

/**
 * Entries of a bucket, subject to the actor's policies; entries without an id are folders, whose names end with the
 * delimiter. However many objects there are, the index is read only for the page's entries (one object per folder) and
 * for those the offset skips.
 */
export async function walkNames(service: StorageService, actor: Actor, walk: Walk): Promise<Row[]> {
  const text = STATEMENTS[walk.order][walk.delimiter === "" ? "flat" : "folders"];
  return runAs(service.database, actor, { text, values: valuesOf(walk), byIndex: true });
}

/** Parameters of the statement. */
function valuesOf(walk: Walk): string[] {
  const { bucket, prefix, delimiter, limit, offset = 0, search = "" } = walk;
  return [bucket, prefix, delimiter, rangesOf(walk), String(limit + offset), String(offset), search];
}

/** The ranges of names that may begin as searched, as JSON for `partsOf`. */
export function rangesOf(walk: Omit<Walk, "bucket" | "limit">): string {
  const { prefix, order, after = null, search = "" } = walk;
  const ranges = beginnings(search).map((text) => cut(prefix + text, walk, after));
  return JSON.stringify(order === "asc" ? ranges : ranges.reverse());
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
function cut(
  start: string,
  { order, prefix, delimiter, inside }: Pick<Walk, "order" | "prefix" | "delimiter" | "inside">,
  after: string | null,
) {
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

/** Columns that lists show besides the name. */
export const LISTED_COLUMNS = ["id", "updated_at", "created_at", "last_accessed_at", "metadata"] as const;

/** SQL: the ranges, from a parameter with `rangesOf`. */
export const partsOf = (ranges: string) =>
  `jsonb_to_recordset(${ranges}::jsonb) as part (low text, high text)`;
const PARTS = partsOf("$4");

type Direction = {
  order: "asc" | "desc";
  start: "low" | "high";
  /** Names of the range not yet shown, starting at `edge`. */
  within: (edge: string) => string;
  /** The edge after a folder, given its name without and with the delimiter. */
  behindFolder: (bare: string, folder: string) => string;
  behindObject: (name: string) => string;
};

const UP: Direction = {
  order: "asc",
  start: "low",
  within: (edge) => `name collate "C" >= ${edge} and name collate "C" < part.high`,
  behindFolder: (bare) => `${bare} || left($3, -1) || chr(ascii(right($3, 1)) + 1)`,
  behindObject: (name) => `${name} || chr(1)`,
};

const DOWN: Direction = {
  order: "desc",
  start: "high",
  within: (edge) => `name collate "C" < ${edge} and name collate "C" >= part.low`,
  behindFolder: (_, folder) => folder,
  behindObject: (name) => name,
};

export const DIRECTIONS = { asc: UP, desc: DOWN };

const page = (order: string) =>
  `order by found.name collate "C" ${order} limit $5::bigint - $6::bigint offset $6::bigint`;

/** The rest of a name after the prefix, and how the search matches it. */
export const restOf = (name: string) => `substr(${name}, char_length($2) + 1)`;
const fits = (name: string) => `starts_with(lower(${restOf(name)}), lower($7))`;

function everyName({ order, start, within }: Direction): string {
  // `$3` is empty here; it is referenced so that both statements take the same parameters.
  return `select found.* from ${PARTS}, lateral (
      select name, ${LISTED_COLUMNS.join(", ")} from storage.objects
      where bucket_id = $1 and ${within(`part.${start}`)} and ${fits("name")} and $3 = ''
      order by name collate "C" ${order} limit $5::bigint
    ) as found ${page(order)}`;
}

/**
 * A loose index scan: each step finds the next object after the edge, which is faster than reading all objects of a
 * folder and discarding them.
 */
function byFolders({ order, start, within, behindFolder, behindObject }: Direction): string {
  const next = (edge: string) => `(select it from storage.objects as it
    where bucket_id = $1 and ${within(edge)} order by name collate "C" ${order} limit 1)`;
  const name = "(walk.object).name";
  const slash = `strpos(${restOf(name)}, $3)`;
  const bare = `left(${name}, char_length($2) + ${slash} - 1)`;
  const edge = `case when ${slash} > 0 then ${behindFolder(bare, `${bare} || $3`)} else ${behindObject(name)} end`;
  return `select found.* from ${PARTS}, lateral (
    with recursive walk as (
      select ${next(`part.${start}`)} as object, 0::bigint as seen
      union all
      select ${next(edge)}, walk.seen + ${fits(name)}::integer
      from walk where ${name} is not null and walk.seen + ${fits(name)}::integer < $5::bigint
    )
    select case when ${slash} > 0 then ${bare} || $3 else ${name} end as name,
      ${LISTED_COLUMNS.map((column) => `case when ${slash} = 0 then (walk.object).${column} end as ${column}`).join(", ")}
    from walk where ${name} is not null and ${fits(name)}
  ) as found ${page(order)}`;
}

const STATEMENTS = {
  asc: { flat: everyName(UP), folders: byFolders(UP) },
  desc: { flat: everyName(DOWN), folders: byFolders(DOWN) },
};
