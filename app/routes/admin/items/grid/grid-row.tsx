import { memo, type ReactNode } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { GRID_COLUMNS, type GridColumn, NAME_COLUMN } from "./model/columns.ts";
import { type CellKey, type Edits, keyOf, markOf } from "./model/edits.ts";
import { faultOf, showText, storedText } from "./model/fields.ts";
import { showCell } from "./show-cell.ts";

type GridRowProps = {
  item: Item;
  /** Its place among the rows that are shown, and how far down it is drawn. */
  place: number;
  top: number;
  edits: Edits;
  fresh: ReadonlySet<CellKey>;
  categories: ReadonlyMap<string, string>;
  now: number;
  /** The active column, and the selected ones; -1 for none. */
  active: number;
  from: number;
  to: number;
  /** What stands in the open cell, and in which. */
  editor: ReactNode;
  open: number;
};

/** A line of the grid. It is drawn anew only where something of it changed. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { item, place, top, active, from, to, editor, open } = props;
  return (
    <tr
      aria-rowindex={place + 2}
      data-row={item.id}
      data-odd={place % 2 === 1 || undefined}
      className="grid-row"
      style={{ transform: `translateY(${top}px)` }}
    >
      {GRID_COLUMNS.map((column, index) => (
        <Cell
          key={column.id}
          {...props}
          column={column}
          index={index}
          isActive={index === active}
          isSelected={index >= from && index <= to}
          editor={index === open ? editor : null}
        />
      ))}
    </tr>
  );
});

type CellProps = Pick<GridRowProps, "item" | "edits" | "fresh" | "categories" | "now" | "editor"> & {
  column: GridColumn;
  index: number;
  isActive: boolean;
  isSelected: boolean;
};

function Cell({
  item,
  edits,
  fresh,
  categories,
  now,
  editor,
  column,
  index,
  isActive,
  isSelected,
}: CellProps) {
  const { field } = column;
  const key = field && keyOf(item.id, field);
  const edit = key && edits.get(key);
  const stored = edit && field ? storedText(item, field) : "";
  const mark = edit && markOf(edit, stored);
  const fault = edit && field ? faultOf(field, edit.text) : null;
  const text = showCell(item, index, { edits, categories, now });
  const Tag = index === NAME_COLUMN ? "th" : "td";
  return (
    <Tag
      {...(index === NAME_COLUMN ? { scope: "row" } : { role: "gridcell" })}
      aria-colindex={index + 1}
      aria-selected={isSelected}
      aria-readonly={!field || undefined}
      aria-invalid={fault ? true : undefined}
      tabIndex={isActive ? 0 : -1}
      data-column={index}
      data-active={isActive || undefined}
      data-mark={mark}
      data-fresh={(key && fresh.has(key)) || undefined}
      data-noted={Boolean(edit?.note) || undefined}
      className={column.isNumber ? "grid-cell grid-cell-number" : "grid-cell"}
    >
      {editor ?? (
        <>
          {text}
          {mark && field && (
            <span className="sr-only">{`, ${fault ?? MARKS[mark]}, published: ${showText(field, stored)}`}</span>
          )}
        </>
      )}
    </Tag>
  );
}

const MARKS = {
  unsaved: "unsaved",
  clash: "changed by somebody else meanwhile",
  waiting: "waits for a second person",
  refused: "not published",
};
