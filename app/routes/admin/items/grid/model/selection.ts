/** A cell by its row's id and its column's index. */
export type Spot = { row: string; column: number };

/** The focused cell, and the opposite corner of the selection. */
export type Selection = { active: Spot; end: Spot };

/** The visible rows, the index of each, and the number of columns. */
export type GridOrder = {
  rows: readonly string[];
  places: ReadonlyMap<string, number>;
  columns: number;
};

/** Indexes, inclusive. */
export type Area = { top: number; bottom: number; left: number; right: number };

export function orderOf(rows: readonly string[], columns: number): GridOrder {
  return { rows, places: new Map(rows.map((id, place) => [id, place])), columns };
}

export const selectCell = (spot: Spot): Selection => ({ active: spot, end: spot });

/** The selected area; null if its rows are not visible. An end that is not visible counts as the active cell. */
export function areaOf({ active, end }: Selection, { places }: GridOrder): Area | null {
  const from = places.get(active.row);
  if (from === undefined) return null;
  const to = places.get(end.row) ?? from;
  return {
    top: Math.min(from, to),
    bottom: Math.max(from, to),
    left: Math.min(active.column, end.column),
    right: Math.max(active.column, end.column),
  };
}

/** The cell this many rows and columns away, clamped to the edges. */
export function moveCell(
  spot: Spot,
  down: number,
  right: number,
  { rows, places, columns }: GridOrder,
): Spot {
  const place = places.get(spot.row) ?? 0;
  const row = rows[clamp(place + down, rows.length - 1)];
  return { row: row ?? spot.row, column: clamp(spot.column + right, columns - 1) };
}

/** The first of these cells after another one in reading order, or else the first of all; null if none is visible. */
export function nextOf(
  cells: readonly Spot[],
  from: Spot | null,
  { places, columns }: GridOrder,
): Spot | null {
  const placeOf = ({ row, column }: Spot) => (places.get(row) ?? 0) * columns + column;
  const shown = cells.filter(({ row }) => places.has(row)).toSorted((a, b) => placeOf(a) - placeOf(b));
  return shown.find((each) => from === null || placeOf(each) > placeOf(from)) ?? shown[0] ?? null;
}

/** The next or previous cell in reading order whose column is a stop; null at either end. */
export function stepCell(
  spot: Spot,
  step: 1 | -1,
  { rows, places, columns }: GridOrder,
  isStop: (column: number) => boolean,
): Spot | null {
  const last = rows.length * columns;
  let at = (places.get(spot.row) ?? 0) * columns + spot.column + step;
  while (at >= 0 && at < last && !isStop(at % columns)) at += step;
  const row = rows[Math.floor(at / columns)];
  return at < 0 || row === undefined ? null : { row, column: at % columns };
}

/** Whole rows, from one to the other. */
export function selectRows(from: string, to: string, { columns }: GridOrder): Selection {
  return { active: { row: from, column: 0 }, end: { row: to, column: columns - 1 } };
}

/** Whole columns, from one to the other; null if there are no rows. */
export function selectColumns(from: number, to: number, { rows }: GridOrder): Selection | null {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { active: { row: first, column: from }, end: { row: last, column: to } };
}

/** Every cell of an area, row by row. */
export function* cellsOf({ top, bottom, left, right }: Area, { rows }: GridOrder): Generator<Spot> {
  for (let place = top; place <= bottom; place += 1) {
    const row = rows[place];
    for (let column = left; row !== undefined && column <= right; column += 1) yield { row, column };
  }
}

function clamp(place: number, last: number): number {
  return Math.max(0, Math.min(place, last));
}
