/** Where each column of a view comes from: view column number → table (or inner view) and its column number. */
export type ViewColumns = Map<number, ColumnOrigin>;
type ColumnOrigin = { tableOid: string; column: number };

/**
 * Follows each view column to the table column it shows, through views over views. Computed columns have no origin.
 * `definition` is the view's parsed query in PostgreSQL's node notation.
 */
export function originOfViewColumns(views: { oid: string; definition: string }[]): Map<string, ViewColumns> {
  const direct = new Map(views.map((view) => [view.oid, directOrigins(view.definition)]));
  for (const columns of direct.values()) {
    for (const [position, origin] of columns) columns.set(position, followToTable(origin, direct));
  }
  return direct;
}

const nodes =
  /\\.|[{}]|:resno (\d+) :resname (?:\\.|[^\s\\])+ :ressortgroupref \d+ :resorigtbl (\d+) :resorigcol (\d+) :resjunk (\w+)/gs;
const targetDepth = 2;

// Only the outermost query's targets count; those of subqueries stand deeper in the braces.
function directOrigins(definition: string): ViewColumns {
  const columns: ViewColumns = new Map();
  let depth = 0;
  for (const [node, position, table, column, junk] of definition.matchAll(nodes)) {
    if (node === "{") depth++;
    else if (node === "}") depth--;
    else if (depth === targetDepth && junk === "false" && table !== "0") {
      columns.set(Number(position), { tableOid: table as string, column: Number(column) });
    }
  }
  return columns;
}

function followToTable(origin: ColumnOrigin, views: Map<string, ViewColumns>): ColumnOrigin {
  let current = origin;
  for (let step = 0; step < 64; step++) {
    const next = views.get(current.tableOid)?.get(current.column);
    if (!next) return current;
    current = next;
  }
  return current;
}

/** The view's columns that show the whole primary keys of its tables; none when no key is complete. */
export function primaryKeyOfView(
  columns: ViewColumns | undefined,
  primaryKeys: ReadonlyMap<string, readonly number[]>,
): number[] {
  if (!columns) return [];
  const tables = new Set([...columns.values()].map((origin) => origin.tableOid));
  return [...tables].flatMap((tableOid) => {
    const [shown] = positionsOf(columns, tableOid, primaryKeys.get(tableOid) ?? []);
    return shown ?? [];
  });
}

/** What a column that is shown many times is combined with at most: a view can show a key in as many ways as it likes. */
const MOST_COMBINATIONS = 64;

/** The view's column numbers for all of the table's `wanted` columns, once for each way in which it shows them. */
export function positionsOf(columns: ViewColumns, tableOid: string, wanted: readonly number[]): number[][] {
  let combinations: number[][] = [[]];
  for (const column of wanted) {
    const shown = [...columns].filter(
      ([, origin]) => origin.tableOid === tableOid && origin.column === column,
    );
    combinations = combinations
      .flatMap((before) => shown.map(([position]) => [...before, position]))
      .slice(0, MOST_COMBINATIONS);
  }
  return combinations;
}
