import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";
import { type NameRange, partsOf, rangesOf } from "./name-ranges.ts";
import { manyEntries, walkEntries } from "./walk-entries.ts";

/** What is listed, and how much of it. */
export type Walk = NameRange & {
  bucket: string;
  limit: number;
  /** With a delimiter only. */
  offset?: number;
};

/** Columns that lists show besides the name. */
const LISTED_COLUMNS = ["id", "updated_at", "created_at", "last_accessed_at", "metadata"] as const;
/** SQL: what lists show of an object. */
export const LISTED = ["name", ...LISTED_COLUMNS].join(", ");

/**
 * Entries of a bucket, subject to the actor's policies; entries without an id are folders, whose names end with the
 * delimiter. However many objects there are, the index is read only for the page's entries (one object per folder, if
 * folders are large) and for those the offset skips.
 */
export async function walkNames(service: StorageService, actor: Actor, walk: Walk): Promise<Row[]> {
  const { bucket, prefix, delimiter, order, limit, offset = 0, search = "" } = walk;
  const values = [bucket, rangesOf(walk), String(offset + limit)];
  if (delimiter !== "") values.push(prefix, delimiter, search, ...skippedOf(walk));
  const text = STATEMENTS[order][delimiter === "" ? "flat" : "folders"];
  return runAs(service.database, actor, { text, values, byIndex: true });
}

/** A search has several ranges, so its offset is counted when the entries of all are found. */
function skippedOf({ offset = 0, search = "" }: Walk): [string, string] {
  return search === "" ? [String(offset), "0"] : ["0", String(offset)];
}

type Direction = {
  order: "asc" | "desc";
  start: "low" | "high";
  /** Names of the range not yet shown, starting at `edge`. */
  within: (edge: string) => string;
  behindFolder: string;
  behindFile: string;
  /** The aggregate that finds the edge behind several rows. */
  last: "max" | "min";
};

const FOLDER = "$4 || split_part(rest, $5, 1)";

const UP: Direction = {
  order: "asc",
  start: "low",
  within: (edge) => `name collate "C" >= ${edge} and name collate "C" < part.high`,
  behindFolder: `${FOLDER} || (select left($5, -1) || chr(ascii(right($5, 1)) + 1))`,
  behindFile: "name || chr(1)",
  last: "max",
};

const DOWN: Direction = {
  order: "desc",
  start: "high",
  within: (edge) => `name collate "C" < ${edge} and name collate "C" >= part.low`,
  behindFolder: `${FOLDER} || $5`,
  behindFile: "name",
  last: "min",
};

const PARTS = partsOf("$2");

function everyName({ order, start, within }: Direction): string {
  return `select found.* from ${PARTS}, lateral (
      select ${LISTED} from storage.objects
      where bucket_id = $1 and ${within(`part.${start}`)} order by name collate "C" ${order} limit $3::bigint
    ) as found order by found.name collate "C" ${order}`;
}

const IS_IN_FOLDER = "strpos(rest, $5) > 0";
const ENTRY = `case when ${IS_IN_FOLDER} then ${FOLDER} || $5 else name end`;
const FITS = `($6 = '' or starts_with(lower(rest), lower($6)))`;

/**
 * A loose index scan where folders are large: each step finds the next object after the edge, which is faster than
 * reading all objects of a folder and discarding them. Elsewhere rows are read in runs, which are read again for what
 * they show.
 */
function byFolders({ order, start, within, behindFolder, behindFile, last }: Direction): string {
  // `right` and `split_part` are the functions that read least of a text. Without a limit, each use of `rest` would
  // compute it again.
  const rows = (edge: string, limit: string) => `(
      select ${LISTED},
        case when $4 = '' then name else right(name, -(select char_length($4))) end as rest
      from storage.objects where bucket_id = $1 and ${within(edge)} order by name collate "C" ${order} limit ${limit}
    ) as it`;
  const fits = `(${FITS})::integer::text`;
  const step = (edge: string) => `(
      select case when ${IS_IN_FOLDER} then array[${behindFolder}, ${fits}, null, ${FOLDER} || $5]
        else array[${behindFile}, ${fits}, 'many', name, ${LISTED_COLUMNS.map((column) => `${column}::text`).join(", ")}] end
      from ${rows(edge, "1")}
    )`;
  const run = (edge: string, asked: string) => `(
      select array[case when count(*) = ${asked} then ${last}(edge) end, count(distinct edge) filter (where fits)::text,
        ${manyEntries("count(distinct edge)")}]
      from (select (case when ${IS_IN_FOLDER} then ${behindFolder} else ${behindFile} end) collate "C" as edge, ${FITS} as fits
        from ${rows(edge, asked)}) as read
    )`;
  const ofRun = LISTED_COLUMNS.map((column) => `case when not is_folder then ${column}::text end`);
  return `select found.* from ${PARTS}, lateral (
      with recursive ${walkEntries({ step, run }, `part.${start}`, "$7::bigint", "$3::bigint")}
      select found[4] as name, ${LISTED_COLUMNS.map((column, at) => `found[${at + 5}] as ${column}`).join(", ")}
      from walk where asked = 1 and found[2] = '1' and seen >= $7::bigint
      union all
      select entry, ${ofRun.join(", ")} from walk, lateral (
        select *, ${ENTRY} as entry, ${IS_IN_FOLDER} as is_folder,
          lag(${ENTRY}) over (order by name collate "C" ${order}) as previous
        from ${rows("walk.edge", "asked")}
      ) as read
      where asked > 1 and seen >= $7::bigint and entry is distinct from previous and ${FITS}
    ) as found
    order by found.name collate "C" ${order} limit $3::bigint - $7::bigint - $8::bigint offset $8::bigint`;
}

const STATEMENTS = {
  asc: { flat: everyName(UP), folders: byFolders(UP) },
  desc: { flat: everyName(DOWN), folders: byFolders(DOWN) },
};
