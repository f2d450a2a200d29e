/**
 * SQL: the expressions of the indexes for lists by time (in backend/schema/shared, 0032_lists_by_time.sql and
 * 0033_lists_by_access.sql). None of them calls a function: for callers with policies, PostgreSQL would not look
 * functions up in an index, since those could leak what the policies hide.
 */

/** Stands in for a missing timestamp. */
export const NO_TIME = "-infinity";

export type TimeColumn = "updated_at" | "created_at" | "last_accessed_at";

export const timeOf = (column: TimeColumn) =>
  `(case when ${column} is null then '${NO_TIME}' else ${column} end)`;

/** The outermost folders of a name, null beyond its last one. */
const FOLDERS = [1, 2, 3, 4].map(
  (at) => `(case when path_tokens[${at + 1}] is not null then path_tokens[${at}] end) collate "C"`,
);

/** What the index has of a level: the columns that all names in and below it share, and those of the folders below. */
export function indexedFolders(depth: number): { shared: string[]; below: string[] } {
  return { shared: FOLDERS.slice(0, depth), below: FOLDERS.slice(depth) };
}

/** A database created by upstream's migrations has no such index. */
export const HAS_INDEX = "to_regclass('storage.objects_by_folder_and_created') is not null";
