import { useCallback, useMemo, useState } from "react";
import { countOf } from "#domain/text/counts.ts";
import { raiseBy, readRounding, roundValue } from "./model/adjust.ts";
import { columnOf, fieldAt, NAME_COLUMN, VALUE_COLUMNS } from "./model/columns.ts";
import { type CellKey, dropCells, keyOf, noteCells, partsOf, writeCells } from "./model/edits.ts";
import { type CellField, choicesOf, readTyped, STILL_RIGHT } from "./model/fields.ts";
import { type Block, fillDown, placeBlock, placeByName, readSheet } from "./model/paste.ts";
import { areaOf, type GridOrder, type Selection, type Spot, spotsOf } from "./model/selection.ts";
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
  /** The selected cells that can be edited. */
  function* selected(): Generator<CellKey> {
    for (const spot of area ? spotsOf(area, order) : []) {
      const key = keyAt(spot);
      if (key) yield key;
    }
  }

  const write = useCallback(
    (changes: readonly (readonly [CellKey, string])[]) => change((now, is) => writeCells(now, changes, is)),
    [change],
  );

  /** Writes texts into cells as if typed; check cells are skipped. */
  function type(cells: Iterable<readonly [Spot, string]>): number {
    const changes = [...cells].flatMap(([spot, text]) => {
      const key = keyAt(spot);
      const field = key && partsOf(key).field;
      return key && field && field !== "checked" ? [[key, readTyped(field, text)] as const] : [];
    });
    write(changes);
    return changes.length;
  }

  /** Changes each selected numeric value, and reports the others. */
  function adjust(by: (text: string) => string | null, done: string): void {
    const values = [...selected()].filter((key) => isValue(partsOf(key).field));
    const changes = values.flatMap((key) => {
      const text = by(textAt(key));
      return text === null ? [] : [[key, text] as const];
    });
    write(changes);
    const left = values.length - changes.length;
    say(`${countOf(changes.length, "value")} ${done}${left > 0 ? `, ${left} without a number left` : ""}`);
  }

  function paste(text: string): void {
    if (!area) return;
    const block = readSheet(text);
    const named =
      area.left === NAME_COLUMN ? placeByName(block, { rowOf, columnOf, columns: VALUE_COLUMNS }) : null;
    const { cells, left } = named ?? placeBlock(block, area, order);
    const count = type(cells);
    const lost = named ? `${countOf(left, "name")} not found` : `${countOf(left, "row")} did not fit`;
    say(`${countOf(count, "cell")} pasted${left > 0 ? `, ${lost}` : ""}`);
  }

  const names = useMemo(() => namesOf(order, byId), [order, byId]);
  const rowOf = (name: string) => names().get(name);

  function copied(): Block {
    if (!area) return [];
    const rows = order.rows.slice(area.top, area.bottom + 1);
    return rows.map((row) =>
      Array.from({ length: area.right - area.left + 1 }, (_, index) => {
        const item = byId.get(row);
        return item ? showCell(item, area.left + index, { edits, categories, now: Date.now() }) : "";
      }),
    );
  }

  function markRight(): void {
    const rows = area ? order.rows.slice(area.top, area.bottom + 1) : [];
    write(rows.map((id) => [keyOf(id, "checked"), STILL_RIGHT]));
    say(`${countOf(rows.length, "item")} marked as still right`);
  }

  return {
    selection,
    area,
    said,
    say,
    select: setSelection,
    textAt,
    type,
    paste,
    copied,
    markRight,
    raise: (percent: number) => adjust((text) => raiseBy(text, percent), percent > 0 ? "raised" : "lowered"),
    round(to: string) {
      const rounding = readRounding(to);
      if (rounding) adjust((text) => roundValue(text, rounding), "rounded");
    },
    fill() {
      if (!area) return;
      type(
        fillDown(area, order, (spot) => {
          const key = keyAt(spot);
          return key ? textAt(key) : "";
        }),
      );
    },
    /** Writes one text into all selected cells. */
    typeAll: (text: string) =>
      void type(area ? [...spotsOf(area, order)].map((spot) => [spot, text] as const) : []),
    drop: () => change((now, is) => dropCells(now, selected(), is)),
    note: (keys: Iterable<CellKey>, text: string) => change((now, is) => noteCells(now, keys, text, is)),
    selected,
  };
}

export function keyAt({ row, column }: Spot): CellKey | null {
  const field = fieldAt(column);
  return field ? keyOf(row, field) : null;
}

const isValue = (field: CellField) => field !== "checked" && !choicesOf(field);

/** The part of a selection that is still visible; null if its active row is not. */
function shownPart(selection: Selection | null, { places }: GridOrder): Selection | null {
  if (!selection || !places.has(selection.active.row)) return null;
  return places.has(selection.end.row) ? selection : { active: selection.active, end: selection.active };
}

type Named = { name: string; slug: string; aliases: string };

/** The rows by name, computed when a sheet with names is pasted. */
function namesOf({ rows }: GridOrder, byId: ReadonlyMap<string, Named>): () => ReadonlyMap<string, string> {
  let made: Map<string, string> | undefined;
  return () => {
    if (made) return made;
    made = new Map();
    for (const id of rows) {
      const { name = "", slug = "", aliases = "" } = byId.get(id) ?? {};
      for (const each of [...aliases.split(","), slug, name]) made.set(each.trim().toLowerCase(), id);
    }
    return made;
  };
}
