import { partsOf, rangesOf, wholeRange } from "./name-ranges.ts";
import { HAS_INDEX, indexedFolders, NO_TIME, type TimeColumn, timeOf } from "./time-index.ts";
import { manyEntries, type Reading, walkEntries } from "./walk-entries.ts";
import { LISTED } from "./walk-names.ts";

/** An entry of a list by time. Folders have no time. */
export type Place = { name: string; value: string };

/** Part of a bucket, sorted by one of its timestamps. */
export type TimeList = {
  bucket: string;
  /** Only names with this prefix. */
  prefix: string;
  column: TimeColumn;
  order: "asc" | "desc";
  /** The last entry of the previous page. */
  after: Place | null;
  limit: number;
};

/** One level of a bucket: its folders by name, its files by time. */
export type LevelList = TimeList & {
  /** A case-insensitive prefix of the entries, following `prefix`. */
  search?: string;
  /** Excludes an object whose name equals the prefix. */
  inside?: boolean;
  /** How many files are left out, after the folders. */
  skipped?: number;
};

/** Adds a value to a statement, and returns the parameter that stands for it. */
export type Bind = (value: string) => string;

/** Up to this many objects are sorted; with more, the page is found by walking an index by time. */
export const FEW_OBJECTS = 8_000;

export function isFolder({ prefix }: TimeList, { name, value }: Place): boolean {
  return value === NO_TIME && name.endsWith("/") && name.length > prefix.length;
}

/** The folder that is listed, the folders it is in, and the beginning of the listed entries. */
export function levelOf(prefix: string) {
  const level = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  return { level, outer: level.split("/").slice(0, -1), start: prefix.slice(level.length) };
}

/** SQL: the names with a prefix. */
export const startsWith = (prefix: string) =>
  `name collate "C" >= ${prefix} and name collate "C" < ${prefix} || chr(1114111)`;

const NO_FILE = `null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
  null::timestamptz as last_accessed_at, null::jsonb as metadata`;

/** SQL: walks the index by folders, in which no files are between them; null further down than the index has folders. */
function walkFolders(list: LevelList, bind: Bind, limit: string, after: string | null) {
  const { bucket, order, prefix, search = "" } = list;
  const { outer, start } = levelOf(prefix);
  const { shared, below } = indexedFolders(outer.length);
  const [key] = below;
  if (!key) return null;
  const inLevel = [
    `bucket_id = ${bind(bucket)}`,
    ...shared.map((column, at) => `${column} = ${bind(outer[at] as string)}`),
  ];
  // All of a level needs no other bound, and the index compares each with all of a page.
  const bound = (condition: string) => (start + search === "" ? "" : `and ${key} ${condition}`);
  const { first, within, behind, last } = {
    asc: {
      first: "part.low",
      within: (edge: string) => `>= ${edge} ${bound("< part.high")}`,
      behind: (folder: string) => `${folder} || chr(1)`,
      last: "max",
    },
    desc: {
      first: "part.high",
      within: (edge: string) => `< ${edge} ${bound(">= part.low")}`,
      behind: (folder: string) => folder,
      last: "min",
    },
  }[order];
  const rows = (edge: string, most: string) => `(select ${key} as key from storage.objects
    where ${inLevel.join(" and ")} and ${key} ${within(edge)} order by ${key} ${order} limit ${most}) as it`;
  const fits = begins(list, bind);
  // Each is computed once, however often it is written.
  const [keys, count] = ["array_agg(distinct key)", "cardinality(array_agg(distinct key))"];
  const found = search === "" ? count : `count(distinct key) filter (where ${fits})`;
  const reading: Reading = {
    step: (edge) =>
      `(select array[${behind("key")}, (${fits})::integer::text, null, key] from ${rows(edge, "1")})`,
    run: (edge, asked) => `(select array[case when count(*) = ${asked} then ${behind(`${last}(key)`)} end,
        ${found}::text, ${manyEntries(count)}] || ${keys} from ${rows(edge, asked)})`,
  };
  const ranges = rangesOf({ prefix: start, delimiter: "", search, order, after });
  return `select unnest(found[4:]) as key from ${partsOf(bind(ranges))}, lateral (
      with recursive ${walkEntries(reading, first, "0", limit)} select found from walk
    ) as found`;
}

/** SQL: whether a folder begins as is searched. */
function begins({ prefix, search = "" }: LevelList, bind: Bind): string {
  if (search === "") return "true";
  return `starts_with(lower(substr(key, char_length(${bind(levelOf(prefix).start)}) + 1)), lower(${bind(search)}))`;
}

/**
 * SQL: the level's folders. Further down than the index has folders, or without it, all names below the level are read.
 */
export function foldersOfLevel(list: LevelList, bind: Bind, limit: string): string {
  const { order, after } = list;
  const { level } = levelOf(list.prefix);
  const [bucket, prefix, folder] = [bind(list.bucket), bind(list.prefix), bind(level)];
  const shown = after && isFolder(list, after) ? after.name.slice(level.length, -1) : null;
  const walked = walkFolders(list, bind, limit, shown);
  const rest = `substr(name, char_length(${folder}) + 1)`;
  const read = `select distinct split_part(${rest}, '/', 1) collate "C" from storage.objects
    where bucket_id = ${bucket} and ${startsWith(prefix)} and strpos(${rest}, '/') > 0`;
  return `select ${folder} || key || '/' as name, ${NO_FILE}, '${NO_TIME}'::timestamptz as place, key
    from (${walked ? `${walked} where ${HAS_INDEX} union all ${read} and not (${HAS_INDEX})` : read}) as folders (key)
    where ${begins(list, bind)} ${shown === null ? "" : `and key ${order === "asc" ? ">" : "<"} ${bind(shown)}`}
    order by key ${order} limit ${limit}`;
}

/**
 * SQL: the level's files, from the index by folders and time. With a search or part of a name, few objects that begin
 * so are sorted instead: walking would pass most others first.
 */
export function filesOfLevel(list: LevelList, bind: Bind, limit: string): string {
  const { column, order, after, search = "", inside, skipped = 0 } = list;
  const { outer, start } = levelOf(list.prefix);
  const bucket = bind(list.bucket);
  const { shared, below } = indexedFolders(outer.length);
  const names = { prefix: list.prefix, delimiter: "", search, order: "asc" } as const;
  const { low, high } = wholeRange(names);
  const rest = list.prefix === "" ? "name" : `right(name, -(select char_length(${bind(list.prefix)})))`;
  const wanted = [`strpos(${rest}, '/') = 0`];
  if (search !== "") wanted.push(`starts_with(lower(${rest}), lower(${bind(search)}))`);
  if (inside) wanted.push(`name <> ${bind(list.prefix)}`);
  if (after && !isFolder(list, after)) {
    const place = `(${bind(after.value)}::timestamptz, ${bind(after.name)})`;
    wanted.push(`(${timeOf(column)}, name collate "C") ${order === "asc" ? ">" : "<"} ${place}`);
  }
  const select = `select ${LISTED}, ${timeOf(column)} as place, name collate "C" as key`;
  const inLevel = [
    `bucket_id = ${bucket}`,
    ...shared.map((folder, at) => `${folder} = ${bind(outer[at] as string)}`),
    ...below.map((folder) => `${folder} is null`),
    `name collate "C" >= ${bind(low)} and name collate "C" < ${bind(high)}`,
  ];
  const sorting = [...below, timeOf(column), 'name collate "C"'].map((key) => `${key} ${order}`);
  const offset = `offset ${bind(String(skipped))}::bigint`;
  const walked = (conditions: string[]) => `${select} from storage.objects
    where ${[...conditions, ...wanted].join(" and ")} order by ${sorting.join(", ")} limit ${limit} ${offset}`;
  if (start === "" && search === "") return walked(inLevel);
  return `with few as materialized (
      select it.* from ${partsOf(bind(rangesOf(names)))}, lateral (
        select ${LISTED} from storage.objects where bucket_id = ${bucket}
          and name collate "C" >= part.low and name collate "C" < part.high
        order by name collate "C" limit ${FEW_OBJECTS + 1}
      ) as it limit ${FEW_OBJECTS + 1}
    ), known as materialized (select count(*) <= ${FEW_OBJECTS} as are_few from few)
    (${select} from few where ${["(select are_few from known)", ...wanted].join(" and ")}
     order by place ${order}, key ${order} limit ${limit} ${offset})
    union all (${walked([...inLevel, "not (select are_few from known)"])})`;
}
