/** Where each column of a view comes from: view column number → table (or inner view) and its column number. */
export type ViewColumns = Map<number, ColumnOrigin>;
type ColumnOrigin = { tableOid: string; column: number };

/**
 * Resolves each view column to the table column it exposes, through nested views. Computed columns have no origin.
 * `definition` is the view's parsed query in PostgreSQL's node format.
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

// Only the outermost query's targets count; those of subqueries are nested deeper.
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

/** The view's columns that expose complete primary keys of its tables; empty if no key is complete. */
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

/** Maximum number of combinations: a view can expose the same key column any number of times. */
const MOST_COMBINATIONS = 64;

/** The view's column numbers for the table's `wanted` columns, one list per combination in which it exposes them. */
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
