import { memo, type ReactNode } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { GRID_COLUMNS, type GridColumn, NAME_COLUMN } from "./model/columns.ts";
import { type CellKey, type Edits, keyOf, markOf } from "./model/edits.ts";
import { type CellField, faultOf, showText, storedText } from "./model/fields.ts";
import { showCell } from "./show-cell.ts";
import type { WaitingCell } from "./waiting-cells.ts";

type GridRowProps = {
  item: Item;
  /** Its index among the visible rows, and its vertical position. */
  place: number;
  top: number;
  edits: Edits;
  fresh: ReadonlySet<CellKey>;
  waiting: ReadonlyMap<CellKey, WaitingCell>;
  categories: ReadonlyMap<string, string>;
  now: number;
  /** The active column, and the selected ones; -1 for none. */
  active: number;
  from: number;
  to: number;
  /** The editor of the open cell, and its column. */
  editor: ReactNode;
  open: number;
};

/** A row of the grid. Memoized: it re-renders only when its own content changes. */
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

type CellProps = Pick<
  GridRowProps,
  "item" | "edits" | "fresh" | "waiting" | "categories" | "now" | "editor"
> & {
  column: GridColumn;
  index: number;
  isActive: boolean;
  isSelected: boolean;
};

function Cell(props: CellProps) {
  const { item, edits, fresh, categories, now, editor, column, index, isActive, isSelected } = props;
  const state = column.field && stateOf(column.field, props);
  const Tag = index === NAME_COLUMN ? "th" : "td";
  return (
    <Tag
      {...(index === NAME_COLUMN ? { scope: "row" } : { role: "gridcell" })}
      aria-colindex={index + 1}
      aria-selected={isSelected}
      aria-readonly={!column.field || undefined}
      aria-invalid={state?.fault ? true : undefined}
      tabIndex={isActive ? 0 : -1}
      data-column={index}
      data-active={isActive || undefined}
      data-mark={state?.mark}
      data-fresh={(state && fresh.has(state.key)) || undefined}
      data-noted={state?.isNoted || undefined}
      className={column.isNumber ? "grid-cell grid-cell-number" : "grid-cell"}
    >
      {editor ?? (
        <>
          {showCell(item, index, { edits, categories, now })}
          {state?.proposed !== undefined && (
            <span>
              <span aria-hidden="true"> → </span>
              <span className="sr-only">, proposed, waits for a second person: </span>
              {state.proposed}
            </span>
          )}
          {state?.description && <span className="sr-only">{state.description}</span>}
        </>
      )}
    </Tag>
  );
}

/** How an editable cell is marked. One's own edit takes precedence over a proposal. */
function stateOf(field: CellField, { item, edits, waiting }: CellProps) {
  const key = keyOf(item.id, field);
  const edit = edits.get(key);
  if (!edit) {
    const proposal = waiting.get(key);
    return proposal
      ? { key, mark: "waiting", proposed: showText(field, proposal.text) }
      : { key, mark: undefined };
  }
  const stored = storedText(item, field);
  const mark = markOf(edit, stored);
  const fault = faultOf(field, edit.text);
  const description = `, ${fault ?? MARKS[mark]}, published: ${showText(field, stored)}`;
  return { key, mark, fault, description, isNoted: Boolean(edit.note) };
}

const MARKS = {
  unsaved: "unsaved",
  clash: "changed by somebody else meanwhile",
  refused: "not published",
};
