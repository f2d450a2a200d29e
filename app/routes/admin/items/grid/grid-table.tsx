import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { CellEditor } from "./cell-editor.tsx";
import { GridRow } from "./grid-row.tsx";
import { GRID_COLUMNS } from "./model/columns.ts";
import { writeSheet } from "./model/paste.ts";
import type { Area } from "./model/selection.ts";
import { type GridKeys, pressGridKey } from "./press-grid-key.ts";
import type { Grid } from "./use-grid.ts";
import { keyAt } from "./use-grid-cells.ts";
import { useGridPointer } from "./use-grid-pointer.ts";

/** A table with editable cells is a grid, which the linter does not know. */
const GRID_ROLE = { role: "grid", "aria-multiselectable": true } as const;

const [, ...REST] = GRID_COLUMNS;
/** The first column's width is set in the stylesheet, since phones have less room for it. */
const sizesOf = (rowHeight: number) =>
  ({
    "--grid-row": `${rowHeight}px`,
    "--grid-rest": REST.map(({ width }) => `${width}rem`).join(" "),
    "--grid-rest-width": `${REST.reduce((sum, { width }) => sum + width, 0)}rem`,
  }) as CSSProperties;
/** Rows are high enough for a finger, or low so that many fit on a desktop. */
const rowHeight = () => (matchMedia("(pointer: coarse)").matches ? 44 : 34);

/** The visible rows and those just beyond; the active one always, since it has focus (WAI-ARIA grid pattern). */
export function GridTable({ grid, keys, isRanging }: { grid: Grid; keys: GridKeys; isRanging: boolean }) {
  const { rows, draft, cells, fresh, editing, categories, now } = grid;
  const { selection, area } = cells;
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  height.current ||= rowHeight();
  // Before anything is selected, Tab arrives at the first cell.
  const active = selection?.active ?? { row: rows.order.rows[0] ?? "", column: 0 };
  const activePlace = rows.order.places.get(active.row) ?? -1;
  const virtualizer = useVirtualizer({
    count: rows.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height.current,
    overscan: 8,
    scrollPaddingStart: height.current,
    rangeExtractor(range) {
      const shown = defaultRangeExtractor(range);
      if (activePlace < 0 || (activePlace >= (shown[0] ?? 0) && activePlace <= (shown.at(-1) ?? -1)))
        return shown;
      return activePlace < (shown[0] ?? 0) ? [activePlace, ...shown] : [...shown, activePlace];
    },
  });
  const pointer = useGridPointer(grid, isRanging);
  useClipboard(box, grid);

  const endPlace = selection ? (rows.order.places.get(selection.end.row) ?? -1) : -1;
  useLayoutEffect(() => {
    if (!grid.wantsFocus.current || editing) return;
    const cell = box.current?.querySelector<HTMLElement>("[data-active]");
    if (!cell) return;
    grid.wantsFocus.current = false;
    cell.focus({ preventScroll: true });
    if (selection?.end === selection?.active) cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    else if (endPlace >= 0) virtualizer.scrollToIndex(endPlace);
  });

  return (
    <div ref={box} className="value-grid" style={sizesOf(height.current)} {...pointer}>
      <table
        {...GRID_ROLE}
        aria-label="Values"
        aria-rowcount={rows.rows.length + 1}
        aria-colcount={GRID_COLUMNS.length}
        onKeyDown={(event: KeyboardEvent<HTMLElement>) => pressGridKey(event, grid, keys)}
        onFocus={() => {
          if (!selection && activePlace >= 0) grid.select({ active, end: active });
        }}
      >
        <GridHead grid={grid} />
        <tbody style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const item = rows.rows[index];
            if (!item) return null;
            const isActive = item.id === active.row;
            const key = isActive && editing ? keyAt(editing.spot) : null;
            return (
              <GridRow
                key={item.id}
                item={item}
                place={index}
                top={start}
                edits={draft.draft.edits}
                fresh={fresh}
                waiting={grid.waiting}
                categories={categories}
                now={now}
                active={isActive ? active.column : -1}
                from={isWithin(index, area) ? area.left : -1}
                to={isWithin(index, area) ? area.right : -1}
                open={key && editing ? editing.spot.column : -1}
                editor={
                  key && editing ? (
                    <CellEditor
                      editing={editing}
                      cellKey={key}
                      label={`${GRID_COLUMNS[editing.spot.column]?.label} of ${item.name}`}
                      commit={grid.commit}
                      cancel={grid.cancel}
                    />
                  ) : null
                }
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function isWithin(index: number, area: Area | null): area is Area {
  return area !== null && index >= area.top && index <= area.bottom;
}

function GridHead({ grid: { rows, cells } }: { grid: Grid }) {
  const { area } = cells;
  const isWhole = area !== null && area.bottom - area.top + 1 === rows.order.rows.length;
  return (
    <thead>
      <tr aria-rowindex={1} className="grid-row">
        {GRID_COLUMNS.map(({ id, label, isNumber }, index) => (
          <th
            key={id}
            scope="col"
            aria-colindex={index + 1}
            data-head={index}
            data-whole={(isWhole && index >= area.left && index <= area.right) || undefined}
            className={isNumber ? "grid-cell grid-cell-number" : "grid-cell"}
          >
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/**
 * Copies and pastes the selection, as spreadsheets do. Browsers fire clipboard events at the document instead of the
 * focused cell, since that is no text field.
 */
function useClipboard(box: RefObject<HTMLElement | null>, { cells, editing }: Grid): void {
  const latest = useRef({ cells, editing });
  useLayoutEffect(() => {
    latest.current = { cells, editing };
  });
  useEffect(() => {
    const isHere = () =>
      !latest.current.editing &&
      latest.current.cells.selection &&
      box.current?.contains(document.activeElement);
    function copy(event: ClipboardEvent): void {
      if (!isHere()) return;
      event.clipboardData?.setData("text/plain", writeSheet(latest.current.cells.copied()));
      event.preventDefault();
    }
    function paste(event: ClipboardEvent): void {
      const text = event.clipboardData?.getData("text/plain");
      if (!text || !isHere()) return;
      latest.current.cells.paste(text);
      event.preventDefault();
    }
    document.addEventListener("copy", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("paste", paste);
    };
  }, [box]);
}
