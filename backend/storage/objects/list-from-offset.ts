import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";
import { type Bind, foldersOfLevel, type LevelList, levelOf } from "./level-by-time.ts";
import { listLevelByTime } from "./list-by-time.ts";
import { NO_TIME } from "./time-index.ts";

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

/** How many folders there are, up to `offset`, and the last of them. */
async function skipFolders(service: StorageService, actor: Actor, list: LevelList, offset: number) {
  const values: string[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const most = `${bind(String(offset))}::bigint`;
  const last = list.order === "asc" ? "max" : "min";
  const text = `select count(*) as count, ${last}(key) as last from (${foldersOfLevel(list, bind, most)}) as it`;
  const [row] = await runAs(service.database, actor, { text, values, byIndex: true });
  return { count: Number(row?.count), last: row?.last };
}
