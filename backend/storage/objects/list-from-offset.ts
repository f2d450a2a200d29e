import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";
import {
  type Bind,
  folderRanges,
  foldersOfLevel,
  indexedRows,
  type LevelList,
  levelOf,
} from "./level-by-time.ts";
import { listLevelByTime } from "./list-by-time.ts";
import { partsOf } from "./name-ranges.ts";
import { NO_TIME } from "./time-index.ts";

/** Rows read at once, if most of them are entries of their own. */
const MOST_ROWS = 2_000;
/** Of fewer rows for each entry, reading all is faster than looking up the next entry. */
const ROWS_AN_ENTRY = 3;

type Rows = {
  order: "asc" | "desc";
  /** The first rows from `edge` on, each with its entry's key. */
  from: (edge: string) => string;
  /** The edge after an entry. */
  behind: (key: string) => string;
};

/**
 * SQL: counts up to `most` entries from the beginning of a range, and names the last. Rows are read in runs, which
 * become longer as long as there are few for each entry; else a step reads one row and goes on behind its entry.
 */
function countEntries({ order, from, behind }: Rows, ranges: string, most: string): string {
  const [start, last] = order === "asc" ? ["low", "max"] : ["high", "min"];
  return `with recursive part as (
      select low, high, ${start} collate "C" as edge, 0::bigint as count, 1::bigint as size, null::text collate "C" as last
      from ${ranges}
      union all
      select low, high, (case when rows = asked then ${behind("run.last")} end) collate "C", part.count + run.count,
        case when run.count * ${ROWS_AN_ENTRY} > rows then least(size * 4, ${MOST_ROWS}) else 1 end,
        coalesce(run.last, part.last)
      from part, lateral (select least(size, ${most} - part.count) as asked) as wish, lateral (
        select count(*) as rows, count(distinct key) as count, ${last}(key collate "C") as last
        from (${from("part.edge")} limit asked) as read
      ) as run
      where part.count < ${most} and edge is not null
    )
    select count, last from part order by count desc limit 1`;
}

/** Skipped entries, and the last of them. */
type Skipped = { count: number; last: string | null };

/** A level by time, folders first, after `offset` entries. */
export async function listLevelFrom(
  service: StorageService,
  actor: Actor,
  { offset, ...list }: LevelList & { offset: number },
): Promise<Row[]> {
  const page = { ...list, foldersFirst: true };
  if (offset === 0) return listLevelByTime(service, actor, page);
  const { count, last } = await skipFolders(service, actor, list, offset);
  if (count < offset) return listLevelByTime(service, actor, { ...page, skipped: offset - count });
  const name = `${levelOf(list.prefix).level}${last}/`;
  return listLevelByTime(service, actor, { ...page, after: { name, value: NO_TIME } });
}

async function skipFolders(
  service: StorageService,
  actor: Actor,
  list: LevelList,
  offset: number,
): Promise<Skipped> {
  const { order, search = "" } = list;
  const values: string[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const most = `${bind(String(offset))}::bigint`;
  const rows = search === "" ? indexedRows(list, bind) : null;
  const indexed = rows && countEntries({ ...rows, order }, partsOf(bind(folderRanges(list))), most);
  const last = order === "asc" ? "max" : "min";
  const text =
    indexed ??
    `select count(*) as count, ${last}(key) as last from (${foldersOfLevel(list, bind, most)}) as it`;
  return runCount(service, actor, text, values);
}

async function runCount(
  service: StorageService,
  actor: Actor,
  text: string,
  values: string[],
): Promise<Skipped> {
  const [row] = await runAs(service.database, actor, { text, values, byIndex: true });
  return { count: Number(row?.count ?? 0), last: row?.last ?? null };
}
