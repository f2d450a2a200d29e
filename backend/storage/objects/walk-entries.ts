/**
 * SQL of a walk's two ways to read on from an edge. Each is a text array: the edge behind what was read, null at the
 * end; the number of entries; null if it was a folder, or if folders had many rows; then whatever the list needs.
 */
export type Reading = {
  /** The next entry. */
  step: (edge: string) => string;
  /** The entries of the next rows. */
  run: (edge: string, rows: string) => string;
};

/** Read at first. */
const FIRST_ROWS = 32;
/** Read at once. */
const MOST_ROWS = 2_000;
/** Of fewer rows for each entry, reading all is faster than looking up the next entry. */
const ROWS_AN_ENTRY = 3;

/** SQL: the third element of a run. */
export const manyEntries = (entries: string) =>
  `case when ${entries} * ${ROWS_AN_ENTRY} > count(*) then 'many' end`;

/**
 * SQL: `walk`, whose rows say where they began (`edge`), how many entries were before it (`seen`), how many rows were
 * `asked` for, and what was `found`: one row is a step. Rows are read in runs, which become longer as long as there are
 * few for each entry. Where a folder has many, one row is read, and the walk goes on behind it. A row begins after
 * `skipped` entries, if there are as many, and none after `end`.
 */
export function walkEntries({ step, run }: Reading, start: string, skipped: string, end: string): string {
  const border = `case when now.seen < ${skipped} then ${skipped} else ${end} end`;
  return `walk as (
      select null::text collate "C" as edge, ${FIRST_ROWS / 4}::bigint as asked, 0::bigint as seen,
        array[${start}, '0', 'many'] collate "C" as found
      union all
      select found[1], next.asked, now.seen,
        (case when next.asked = 1 then ${step("found[1]")} else ${run("found[1]", "next.asked")} end) collate "C"
      from walk, lateral (select walk.seen + found[2]::bigint as seen) as now, lateral (
        select case when found[3] is null then 1 else least(walk.asked * 4, ${MOST_ROWS}, ${border} - now.seen) end as asked
      ) as next
      where found[1] is not null and now.seen < ${end}
    )`;
}
