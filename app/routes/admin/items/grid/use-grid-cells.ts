import { useCallback, useMemo, useState } from "react";
import { siteNow } from "#app/features/site/site-clock.ts";
import { countOf } from "#domain/text/counts.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { raiseBy, readRounding, roundValue } from "./model/adjust.ts";
import { columnOf, columnOfField, fieldAt, NAME_COLUMN, VALUE_COLUMNS } from "./model/columns.ts";
import { type CellKey, dropCells, keyOf, noteCells, partsOf, writeCells } from "./model/edits.ts";
import { type CellField, choicesOf, readTyped, STILL_RIGHT } from "./model/fields.ts";
import {
  type Block,
  fillDown,
  type Named,
  placeBlock,
  placeByName,
  readSheet,
  rowsByName,
} from "./model/paste.ts";
import { type Area, areaOf, cellsOf, type GridOrder, type Selection, type Spot } from "./model/selection.ts";
import { showCell } from "./show-cell.ts";
import type { useGridDraft } from "./use-grid-draft.ts";

type Draft = ReturnType<typeof useGridDraft>;

/** The grid's selection and the actions on it, each as one undo step. */
export function useGridCells(
  { byId, stored, draft, change }: Draft,
  order: GridOrder,
  categories: ReadonlyMap<string, string>,
) {
  const [chosen, setSelection] = useState<Selection | null>(null);
  const [said, say] = useState("");
  const selection = useMemo(() => shownPart(chosen, order), [chosen, order]);
  const area = useMemo(() => selection && areaOf(selection, order), [selection, order]);
  const { edits } = draft;
  const textAt = (key: CellKey) => edits.get(key)?.text ?? stored(key) ?? "";
  const write = useCallback(
    (changes: readonly (readonly [CellKey, string])[]) => change((now, is) => writeCells(now, changes, is)),
    [change],
  );
  const sheet: Sheet = { area, order, textAt, write, say };
  const selected = () => keysIn(sheet);
  return {
    selection,
    area,
    said,
    say,
    select: setSelection,
    textAt,
    selected,
    type: (cells: Iterable<readonly [Spot, string]>) => type(sheet, cells),
    paste: (text: string) => paste(sheet, text, byId),
    copied: () =>
      copy(sheet, (row, column) => {
        const item = byId.get(row);
        return item ? showCell(item, column, { edits, categories, now: siteNow() }) : "";
      }),
    markRight: () => markRight(sheet),
    raise: (percent: number) =>
      adjust(sheet, (text) => raiseBy(text, percent), percent > 0 ? "raised" : "lowered"),
    round(to: string) {
      const rounding = readRounding(to);
      if (rounding) adjust(sheet, (text) => roundValue(text, rounding), "rounded");
    },
    fill: () => fill(sheet),
    /** Writes one text into all selected cells. */
    typeAll: (text: string) =>
      void type(sheet, area ? [...cellsOf(area, order)].map((spot) => [spot, text] as const) : []),
    drop: () => change((now, is) => dropCells(now, selected(), is)),
    note: (keys: Iterable<CellKey>, text: string) => change((now, is) => noteCells(now, keys, text, is)),
  };
}

/** The selected area, how cells are read and written, and what is reported about it. */
type Sheet = {
  area: Area | null;
  order: GridOrder;
  textAt(key: CellKey): string;
  write(changes: readonly (readonly [CellKey, string])[]): void;
  say(text: string): void;
};

/** The selected cells that can be edited. */
function* keysIn({ area, order }: Sheet): Generator<CellKey> {
  for (const spot of area ? cellsOf(area, order) : []) {
    const key = keyAt(spot);
    if (key) yield key;
  }
}

/** Writes texts into cells as if typed; check cells are skipped. Returns how many were written. */
function type({ write }: Sheet, cells: Iterable<readonly [Spot, string]>): number {
  const changes = [...cells].flatMap(([spot, text]) => {
    const key = keyAt(spot);
    const field = key && partsOf(key).field;
    return key && field && field !== "checked" ? [[key, readTyped(field, text)] as const] : [];
  });
  write(changes);
  return changes.length;
}

/** Changes each selected numeric value, and reports the others. */
function adjust(sheet: Sheet, by: (text: string) => string | null, done: string): void {
  const values = [...keysIn(sheet)].filter((key) => isValue(partsOf(key).field));
  const changes = values.flatMap((key) => {
    const text = by(sheet.textAt(key));
    return text === null ? [] : [[key, text] as const];
  });
  sheet.write(changes);
  const left = values.length - changes.length;
  sheet.say(
    `${countOf(changes.length, "value")} ${done}${left > 0 ? `, ${left} without a number left` : ""}`,
  );
}

/** Names are looked up among all items: among the shown ones, a hidden item's values might go to one with that alias. */
function paste(sheet: Sheet, text: string, items: ReadonlyMap<string, Named>): void {
  const { area, order, say } = sheet;
  if (!area) return;
  const block = readSheet(text);
  const named =
    area.left === NAME_COLUMN
      ? placeByName(block, { rows: rowsByName([...items.values()]), columnOf, columns: VALUE_COLUMNS })
      : null;
  const { cells, lost } = named
    ? { cells: named.cells, lost: [...tellHidden(named.cells, order), ...tellUnknown(named.unknown)] }
    : placeRows(block, area, order);
  say([`${countOf(type(sheet, cells), "cell")} pasted`, ...lost].join(", "));
}

function placeRows(block: Block, area: Area, order: GridOrder) {
  const { cells, left } = placeBlock(block, area, order);
  return { cells, lost: left > 0 ? [`${countOf(left, "row")} did not fit`] : [] };
}

function tellHidden(cells: readonly (readonly [Spot, string])[], { places }: GridOrder): string[] {
  const hidden = new Set(cells.flatMap(([{ row }]) => (places.has(row) ? [] : [row])));
  return hidden.size > 0 ? [`${countOf(hidden.size, "hidden item")} among them`] : [];
}

/** How many unknown names are listed. */
const TOLD = 5;

function tellUnknown(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const told = names.slice(0, TOLD).map((name) => `“${name.slice(0, LIMITS.item.name.max)}”`);
  const more = names.length > TOLD ? ` and ${names.length - TOLD} more` : "";
  return [`${countOf(names.length, "name")} not found: ${told.join(", ")}${more}`];
}

/** The ids of the rows that are selected, as a whole or in part. */
const rowsIn = ({ area, order }: Sheet) => (area ? order.rows.slice(area.top, area.bottom + 1) : []);

function copy(sheet: Sheet, show: (row: string, column: number) => string): Block {
  const { area } = sheet;
  if (!area) return [];
  const columns = Array.from({ length: area.right - area.left + 1 }, (_, index) => area.left + index);
  return rowsIn(sheet).map((row) => columns.map((column) => show(row, column)));
}

function markRight(sheet: Sheet): void {
  const { write, say } = sheet;
  const rows = rowsIn(sheet);
  write(rows.map((id) => [keyOf(id, "checked"), STILL_RIGHT]));
  say(`${countOf(rows.length, "item")} marked as still right`);
}

function fill(sheet: Sheet): void {
  const { area, order, textAt } = sheet;
  if (!area) return;
  const textOf = (spot: Spot) => {
    const key = keyAt(spot);
    return key ? textAt(key) : "";
  };
  type(sheet, fillDown(area, order, textOf));
}

export function keyAt({ row, column }: Spot): CellKey | null {
  const field = fieldAt(column);
  return field ? keyOf(row, field) : null;
}

export function spotOf(key: CellKey): Spot {
  const { id, field } = partsOf(key);
  return { row: id, column: columnOfField(field) };
}

const isValue = (field: CellField) => field !== "checked" && !choicesOf(field);

/** The part of a selection that is still visible; null if its active row is not. */
function shownPart(selection: Selection | null, { places }: GridOrder): Selection | null {
  if (!selection || !places.has(selection.active.row)) return null;
  return places.has(selection.end.row) ? selection : { active: selection.active, end: selection.active };
}
