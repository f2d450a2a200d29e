import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";

/** A part of a bucket's names, in the order of their bytes. */
export type Walk = {
  bucket: string;
  /** Only names that begin so. */
  prefix: string;
  /** Names that go on beyond this, behind the prefix, are one entry, as a folder; "" shows every name. */
  delimiter: string;
  order: "asc" | "desc";
  /** The entry that the page before ended with, or any name. */
  after?: string | null;
  /** How an entry begins behind the prefix, in capitals or not. */
  search?: string;
  /** Leaves out an object that is named as the prefix is. */
  inside?: boolean;
  limit: number;
  offset?: number;
};

/**
 * Entries of a bucket as the actor's policies show them; those without an id are folders, whose names end with the
 * delimiter. However many objects there are, the index is read for those of the page, of folders for one object each,
 * and for what the offset leaves out.
 */
export async function walkNames(service: StorageService, actor: Actor, walk: Walk): Promise<Row[]> {
  const { bucket, prefix, delimiter, order, after, search = "", limit, offset = 0 } = walk;
  const ranges = beginnings(search).map((text) => cut(prefix + text, walk, after ?? null));
  const values = [
    bucket,
    prefix,
    delimiter,
    JSON.stringify(order === "asc" ? ranges : ranges.reverse()),
    String(limit + offset),
    String(offset),
    search,
  ];
  return runAs(service.database, actor, {
    text: STATEMENTS[order][delimiter === "" ? "flat" : "folders"],
    values,
    byIndex: true,
  });
}

/** The last of all characters: nothing that begins with a text is behind that text and this. */
const LAST = "\u{10ffff}";
/** Of a search, so many letters are looked up in capitals and small, the rest is compared. */
const LETTERS = 4;

/** The ways to write how a search begins, in the order of their bytes. */
function beginnings(search: string): string[] {
  let texts = [""];
  for (const letter of [...search].slice(0, LETTERS)) {
    const ways = new Set([letter.toUpperCase(), letter.toLowerCase()]);
    texts = texts.flatMap((text) => [...ways].map((way) => text + way));
  }
  return texts.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Where the names that begin so start and end, without those that were shown before. */
function cut(start: string, { order, prefix, delimiter, inside }: Walk, after: string | null) {
  const range = { low: inside && start === prefix ? `${start}\u0001` : start, high: start + LAST };
  if (after === null) return range;
  const isFolder = delimiter !== "" && after.endsWith(delimiter) && after.length > start.length;
  if (order === "desc") return { ...range, high: least(range.high, after) };
  return { ...range, low: greatest(range.low, isFolder ? beyond(after) : `${after}\u0001`) };
}

/** The first text behind all that begin with this one. */
function beyond(folder: string): string {
  const last = folder.codePointAt(folder.length - 1) as number;
  return folder.slice(0, -1) + String.fromCodePoint(last + 1);
}

const isBefore = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
const least = (a: string, b: string) => (isBefore(a, b) ? a : b);
const greatest = (a: string, b: string) => (isBefore(a, b) ? b : a);

/** What lists show of an object besides its name. */
export const LISTED_COLUMNS = ["id", "updated_at", "created_at", "last_accessed_at", "metadata"];
const PARTS = "jsonb_to_recordset($4::jsonb) as part (low text, high text)";

type Direction = {
  order: "asc" | "desc";
  start: "low" | "high";
  within: string;
  behindFolder: string;
  behindObject: string;
};

const UP: Direction = {
  order: "asc",
  start: "low",
  within: `name collate "C" >= walk.edge and name collate "C" < part.high`,
  behindFolder: "left(entry, -1) || chr(ascii(right(entry, 1)) + 1)",
  behindObject: "entry || chr(1)",
};

const DOWN: Direction = {
  order: "desc",
  start: "high",
  within: `name collate "C" < walk.edge and name collate "C" >= part.low`,
  behindFolder: "entry",
  behindObject: "entry",
};

const page = (order: string) =>
  `order by found.name collate "C" ${order} limit $5::bigint - $6::bigint offset $6::bigint`;

const FITS = "starts_with(lower(substr(name, char_length($2) + 1)), lower($7))";

function everyName({ order, start, within }: Direction): string {
  const edges = within.replace("walk.edge", `part.${start}`);
  // `$3` is empty here; it is named so that both statements take the same values.
  return `select found.* from ${PARTS}, lateral (
      select name, ${LISTED_COLUMNS.join(", ")} from storage.objects
      where bucket_id = $1 and ${edges} and ${FITS} and $3 = '' order by name collate "C" ${order} limit $5::bigint
    ) as found ${page(order)}`;
}

/** After so many objects in a row they are read by many, twice as many each time, up to the next folder. */
const ONE_BY_ONE = 8;
const MOST_AT_ONCE = 500;

function byFolders({ order, start, within, behindFolder, behindObject }: Direction): string {
  const columns = LISTED_COLUMNS.join(", ");
  const read = (limit: string, where: string) => `
    select name, left(name, char_length($2) + slash - 1 + char_length($3)) as folder, slash, ${columns}, ${FITS} as fits
    from (
      select name, strpos(substr(name, char_length($2) + 1), $3) as slash, ${columns} from storage.objects
      where bucket_id = $1 and ${within} and ${where} order by name collate "C" ${order} limit ${limit}
    ) as read`;
  return `select found.* from ${PARTS}, lateral (
    with recursive walk as (
      select null::text as name, ${LISTED_COLUMNS.map((column) => `null::${TYPES[column]} as ${column}`).join(", ")},
        part.${start} as edge, 1 as step, true as is_last, false as fits, 0::bigint as seen
      union all
      select entry, ${LISTED_COLUMNS.map((column) => `case when slash = 0 then next.${column} end`).join(", ")},
        case when slash > 0 then ${behindFolder} else ${behindObject} end,
        case when slash > 0 then 1 when walk.step < ${ONE_BY_ONE} then walk.step + 1
          else least(walk.step * 2, ${MOST_AT_ONCE}) end,
        slash > 0 or is_end, next.fits, walk.seen + place
      from walk, lateral (
        select case when slash > 0 then folder else name end as entry, slash, ${columns}, fits,
          fits::integer as place, true as is_end
        from (${read("1", `walk.step < ${ONE_BY_ONE}`)}) as one
        union all
        select case when slash > 0 then folder else name end, slash, ${columns}, fits, place, is_end
        from (
          select *, sum(fits::integer) over so_far as place, lead(1) over so_far is null as is_end,
            sum(sign(slash)) over so_far - sign(slash) as folders
          from (${read("walk.step", `walk.step >= ${ONE_BY_ONE}`)}) as many
          window so_far as (order by name collate "C" ${order} rows between unbounded preceding and current row)
        ) as ordered
        where folders = 0
      ) as next
      where walk.is_last and walk.seen < $5::bigint
    )
    select name, ${columns} from walk where fits
  ) as found ${page(order)}`;
}

const TYPES: Record<string, string> = {
  id: "uuid",
  updated_at: "timestamptz",
  created_at: "timestamptz",
  last_accessed_at: "timestamptz",
  metadata: "jsonb",
};

const STATEMENTS = {
  asc: { flat: everyName(UP), folders: byFolders(UP) },
  desc: { flat: everyName(DOWN), folders: byFolders(DOWN) },
};
