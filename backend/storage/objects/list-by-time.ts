import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";
import {
  type Bind,
  FEW_OBJECTS,
  filesOfLevel,
  foldersOfLevel,
  isFolder,
  type LevelList,
  startsWith,
  type TimeList,
} from "./level-by-time.ts";
import { NO_TIME, timeOf } from "./time-index.ts";
import { LISTED } from "./walk-names.ts";

/** A page of one level. What is read are its entries up to the page's end, and nothing that is below its folders. */
export function listLevelByTime(
  service: StorageService,
  actor: Actor,
  list: LevelList & { foldersFirst: boolean },
): Promise<Row[]> {
  const { order, foldersFirst, after, skipped, limit } = list;
  const values: string[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const most = `${bind(String(limit))}::bigint`;
  const [first, second] = foldersFirst ? [foldersOfLevel, filesOfLevel] : [filesOfLevel, foldersOfLevel];
  const isInSecond = skipped !== undefined || (after !== null && isFolder(list, after) !== foldersFirst);
  const one = isInSecond ? second(list, bind, most) : first(list, bind, most);
  const remaining = `${most} - (select count(*) from one)`;
  const two = isInSecond ? "select * from one where false" : second(list, bind, remaining);
  const text = `with one as materialized (${one}), two as materialized (${two})
    select ${LISTED}, place::text as value
    from (select 1 as part, * from one union all select 2, * from two) as entries
    order by part, place ${order}, key ${order}`;
  return runAs(service.database, actor, { text, values, byIndex: true });
}

/** Keyset pagination of all names. */
export function pageAllByTime(service: StorageService, actor: Actor, list: TimeList): Promise<Row[]> {
  const { bucket, prefix, column, order, after, limit } = list;
  // An index has each bucket's objects in this order.
  const time = timeOf(column);
  // Compared with parameters only: behind `coalesce`, callers with policies would read all earlier entries.
  const behind = `(${time}, name collate "C") ${order === "asc" ? ">" : "<"} ($4::timestamptz, $3::text)`;
  const sorted = `order by ${time} ${order}, name collate "C" ${order} limit $5::integer`;
  const withPrefix = `bucket_id = $1 and ${startsWith("$2")}`;
  const text = `with known as materialized (
      select count(*) <= ${FEW_OBJECTS} as are_few
      from (select from storage.objects where ${withPrefix} and $2 <> ''
        order by name collate "C" limit ${FEW_OBJECTS + 1}) as counted
    ), few as materialized (
      select ${LISTED} from storage.objects where ${withPrefix} and $2 <> '' and (select are_few from known)
    )
    (select ${LISTED}, ${time}::text as value from few where ${behind} ${sorted})
    union all
    (select ${LISTED}, ${time}::text as value from storage.objects
     where ${withPrefix} and ${behind} and ($2 = '' or not (select are_few from known)) ${sorted})`;
  // Ascending pages start before the first entry, and descending ones after the last.
  const { name, value } = after ?? { name: "", value: order === "asc" ? NO_TIME : "infinity" };
  const values = [bucket, prefix, name, value, String(limit)];
  return runAs(service.database, actor, { text, values, byIndex: true });
}
