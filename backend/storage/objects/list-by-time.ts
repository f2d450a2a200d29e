import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";
import { LEVEL_STATEMENTS, LISTED_COLUMNS, valuesOf } from "./walk-names.ts";

/** The last entry of the previous page. */
export type Place = { name: string; value: string };

/** Part of a bucket, sorted by one of its timestamps. */
export type TimeList = {
  bucket: string;
  /** Only names with this prefix. */
  prefix: string;
  column: "updated_at" | "created_at" | "last_accessed_at";
  order: "asc" | "desc";
  limit: number;
};

/** Stands in for a missing timestamp. */
export const NO_TIME = "-infinity";

/**
 * Up to this many entries, a level is sorted as a whole, whatever is below it; no index has a level's entries by time.
 */
const FEW_ENTRIES = 1_500;
/** Up to this many objects are sorted; with more, the page is found by walking the index by time. */
const FEW_OBJECTS = 8_000;

const COLUMNS = ["name", ...LISTED_COLUMNS].join(", ");
const WITH_PREFIX = `bucket_id = $1 and name collate "C" >= $2 and name collate "C" < $2 || chr(1114111)`;

/** One level, folders first; `search` is a case-insensitive prefix of the entries. */
export function listLevelByTime(
  service: StorageService,
  actor: Actor,
  list: TimeList & { search: string; offset: number },
): Promise<Row[]> {
  const { order, limit, offset } = list;
  const text = `${level(list, "and name <> $2", true)} select * from entries
    order by (id is null) desc, place ${order}, name collate "C" ${order} limit $8::integer - $9::integer offset $9::integer`;
  const values = [...levelOf(list, null), String(limit + offset), String(offset)];
  return runAs(service.database, actor, { text, values, byIndex: true });
}

/** Keyset pagination of one level; folders come before all timestamps. */
export async function pageLevelByTime(
  service: StorageService,
  actor: Actor,
  list: TimeList & { after: Place | null },
): Promise<Row[]> {
  const { order, limit, after } = list;
  if (order === "asc" && after?.value === NO_TIME) {
    const untimed = await pageUntimed(service, actor, { ...list, after });
    if (untimed.length === limit) return untimed;
  }
  const behind = (place: string) =>
    `($9::text is null or (${place}, name collate "C") ${order === "asc" ? ">" : "<"} ($10::timestamptz, $9))`;
  // With a cursor, folders before it do not fill the page.
  const foldersFirst = order === "asc" && after === null;
  const text = `${level(list, `and ${behind(timeOf(list))}`, foldersFirst)} select *, place::text as value from entries
    where ${behind("place")} order by place ${order}, name collate "C" ${order} limit $8::integer`;
  const values = [...levelOf(list, null), String(limit), after?.name ?? null, after?.value ?? null];
  return runAs(service.database, actor, { text, values, byIndex: true });
}

/**
 * Entries without a timestamp after the cursor. They precede all others in ascending order, so if they fill the page,
 * it needs nothing of the level but the names after the cursor.
 */
function pageUntimed(
  service: StorageService,
  actor: Actor,
  list: TimeList & { after: Place },
): Promise<Row[]> {
  const text = `select *, '${NO_TIME}' as value from (${LEVEL_STATEMENTS.asc}) as entries
    where ${list.column} is null order by name collate "C" limit $8::integer`;
  const values = [...levelOf(list, list.after.name), String(list.limit)];
  return runAs(service.database, actor, { text, values, byIndex: true });
}

const timeOf = ({ column }: TimeList) => `coalesce(${column}, '${NO_TIME}'::timestamptz)`;

const levelOf = (
  { bucket, prefix, order, search = "" }: TimeList & { search?: string },
  after: string | null,
) => valuesOf({ bucket, prefix, search, after, delimiter: "/", order, limit: FEW_ENTRIES + 1 });

/**
 * The `entries` of a level: found by index steps if there are few, or if the page consists of folders only. If there
 * are many, the folders come from the name index, and as many objects as requested from the time index, if there is
 * one.
 */
function level(list: TimeList, wanted: string, foldersFirst: boolean): string {
  const rest = "substr(name, char_length($2) + 1)";
  const ofMany = `${WITH_PREFIX} and starts_with(lower(${rest}), lower($7)) and not (select are_all from known)`;
  return `with few as materialized (${LEVEL_STATEMENTS[list.order]}), known as materialized (
      select count(*) <= ${FEW_ENTRIES} ${foldersFirst ? "or count(*) filter (where id is null) >= $8::integer" : ""} as are_all
      from few
    ), entries as (
      select ${COLUMNS}, ${timeOf(list)} as place from few
      where (select are_all from known) ${wanted}
      union all
      (select distinct left(name, char_length($2) + strpos(${rest}, '/')), null::uuid, null::timestamptz,
         null::timestamptz, null::timestamptz, null::jsonb, '${NO_TIME}'::timestamptz
       from storage.objects where ${ofMany} and strpos(${rest}, '/') > 0)
      union all
      (select ${COLUMNS}, ${timeOf(list)} from storage.objects
       where ${ofMany} and strpos(${rest}, '/') = 0 ${wanted}
       order by ${timeOf(list)} ${list.order}, name collate "C" ${list.order} limit $8::integer)
    )`;
}

/** Keyset pagination of all names. */
export function pageAllByTime(
  service: StorageService,
  actor: Actor,
  list: TimeList & { after: Place | null },
): Promise<Row[]> {
  const { bucket, prefix, order, limit, after } = list;
  // An index has each bucket's objects in this order.
  const time = timeOf(list);
  const start = order === "asc" ? "'-infinity'" : "'infinity'";
  // Without a cursor, ascending pages start before the first entry, and descending ones after the last.
  const behind = `(${time}, name collate "C") ${order === "asc" ? ">" : "<"}
    (coalesce($4::timestamptz, ${start}), coalesce($3::text, ''))`;
  const sorted = `order by ${time} ${order}, name collate "C" ${order} limit $5::integer`;
  const text = `with known as materialized (
      select count(*) <= ${FEW_OBJECTS} as are_few
      from (select from storage.objects where ${WITH_PREFIX} and $2 <> '' limit ${FEW_OBJECTS + 1}) as counted
    ), few as materialized (
      select ${COLUMNS} from storage.objects where ${WITH_PREFIX} and $2 <> '' and (select are_few from known)
    )
    (select ${COLUMNS}, ${time}::text as value from few where ${behind} ${sorted})
    union all
    (select ${COLUMNS}, ${time}::text as value from storage.objects
     where ${WITH_PREFIX} and ${behind} and ($2 = '' or not (select are_few from known)) ${sorted})`;
  const values = [bucket, prefix, after?.name ?? null, after?.value ?? null, String(limit)];
  return runAs(service.database, actor, { text, values, byIndex: true });
}
