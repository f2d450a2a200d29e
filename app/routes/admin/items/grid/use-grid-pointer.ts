import { type MouseEvent, type PointerEvent, useRef } from "react";
import { NAME_COLUMN } from "./model/columns.ts";
import { type Spot, selectCell, selectColumns, selectRows } from "./model/selection.ts";
import type { Grid } from "./use-grid.ts";

/** What is under the pointer: a cell, or a column's head. */
type Hit = { spot: Spot } | { head: number };

function hitAt(target: EventTarget | null): Hit | null {
  const element = target instanceof Element ? target : null;
  if (!element || element.closest(".grid-editor")) return null;
  const head = element.closest<HTMLElement>("[data-head]");
  if (head) return { head: Number(head.dataset.head) };
  const cell = element.closest<HTMLElement>("[data-column]");
  const row = cell?.closest<HTMLElement>("[data-row]")?.dataset.row;
  return cell && row ? { spot: { row, column: Number(cell.dataset.column) } } : null;
}

/**
 * Selection by pointer. A mouse selects on press and drags; the first column selects rows, column heads select columns,
 * the first head everything. With a finger, dragging scrolls, a tap selects, a second tap edits, and while `isRanging`
 * a tap extends the selection.
 */
export function useGridPointer(grid: Grid, isRanging: boolean) {
  const { selection } = grid.cells;
  const { order } = grid.rows;
  const from = useRef<Hit | null>(null);

  function selectTo(start: Hit, hit: Hit): void {
    const [first, last] = [order.rows[0], order.rows.at(-1)];
    if ("head" in start) {
      const to = "head" in hit ? hit.head : hit.spot.column;
      if (start.head === NAME_COLUMN && first && last) grid.select(selectRows(first, last, order));
      else grid.select(selectColumns(start.head, to, order));
    } else if ("spot" in hit) {
      const isRow = start.spot.column === NAME_COLUMN;
      if (isRow) grid.select(selectRows(start.spot.row, hit.spot.row, order));
      else grid.select({ active: start.spot, end: hit.spot });
    }
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    const hit = hitAt(event.target);
    if (!hit || event.button !== 0 || event.pointerType === "touch") return;
    const isOn = event.shiftKey && selection && "spot" in hit;
    from.current = isOn ? { spot: selection.active } : hit;
    selectTo(from.current, hit);
    addEventListener(
      "pointerup",
      () => {
        from.current = null;
      },
      { once: true },
    );
  }

  /** Keeps focus on the active cell, which the browser would move to the end of the selection or to nothing. */
  function onMouseDown(event: MouseEvent<HTMLElement>): void {
    const hit = hitAt(event.target);
    if (hit && !grid.editing && ("head" in hit || event.shiftKey)) event.preventDefault();
  }

  function onPointerOver(event: PointerEvent<HTMLElement>): void {
    const hit = from.current && hitAt(event.target);
    if (from.current && hit) selectTo(from.current, hit);
  }

  function onClick({ target, nativeEvent }: MouseEvent<HTMLElement>): void {
    const hit = hitAt(target);
    if (!hit || (nativeEvent as globalThis.PointerEvent).pointerType !== "touch") return;
    const { active } = selection ?? {};
    if ("head" in hit) selectTo(hit, hit);
    else if (isRanging && active) grid.select({ active, end: hit.spot });
    else if (active?.row === hit.spot.row && active.column === hit.spot.column) grid.open();
    else if (hit.spot.column === NAME_COLUMN) selectTo(hit, hit);
    else grid.select(selectCell(hit.spot));
  }

  function onDoubleClick({ target }: MouseEvent<HTMLElement>): void {
    const hit = hitAt(target);
    if (hit && "spot" in hit && hit.spot.column !== NAME_COLUMN) grid.open();
  }

  return { onPointerDown, onMouseDown, onPointerOver, onClick, onDoubleClick };
}
