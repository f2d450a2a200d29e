import { useEffect, useMemo, useRef, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { useSiteNow } from "#app/features/site/use-site-now.ts";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { keepTyping } from "./kept-grid.ts";
import { GRID_COLUMNS, isEdited } from "./model/columns.ts";
import { type CellKey, keyOf, partsOf, redo, undo } from "./model/edits.ts";
import { choicesOf, storedText } from "./model/fields.ts";
import { NO_FILTER } from "./model/filter.ts";
import {
  type GridOrder,
  moveCell,
  nextOf,
  type Selection,
  type Spot,
  selectCell,
  stepCell,
} from "./model/selection.ts";
import { keyAt, spotOf, useGridCells } from "./use-grid-cells.ts";
import { useGridDraft } from "./use-grid-draft.ts";
import { useGridRows } from "./use-grid-rows.ts";
import { NO_WAITING, readWaitingCells } from "./waiting-cells.ts";

/** The open cell: with the first typed text, or with its content if it is edited. */
export type Editing = { spot: Spot; text: string; isTyped: boolean };

/** Where the selection moves when a cell is committed. */
export type Move = "down" | "up" | "left" | "right" | "next" | "back" | "all";

export function useGrid(catalogue: Catalogue) {
  const { items } = catalogue;
  const now = useSiteNow();
  const draft = useGridDraft(items);
  const rows = useGridRows(catalogue, draft.counts.edited, now);
  const categories = useMemo(
    () => new Map(catalogue.categories.map(({ id, name }) => [id, name])),
    [catalogue.categories],
  );
  const cells = useGridCells(draft, rows.order, categories);
  const moves = useMoves(cells, rows.order);
  const editing = useEditing(cells, moves);
  const fresh = useFreshCells(items);
  const waiting = useRead(["value_proposals", "cells"], readWaitingCells).data ?? NO_WAITING;

  /** Selects the next cell that is not right yet, or that somebody else changed meanwhile; the filter may hide it. */
  function selectWrong(): void {
    const spots = draft.counts.wrong.map(spotOf);
    const next = nextOf(spots, cells.selection?.active ?? null, rows.order) ?? spots[0];
    if (!next) return;
    if (!rows.order.places.has(next.row)) rows.setFilter(NO_FILTER);
    moves.select(selectCell(next));
  }

  /** What was said of the step is no longer so. */
  function turn(by: typeof undo): void {
    draft.change(by);
    cells.say("");
  }

  const steps = {
    undo: () => turn(undo),
    redo: () => turn(redo),
    canUndo: draft.draft.past.length > 0,
    canRedo: draft.draft.future.length > 0,
  };
  return {
    catalogue,
    categories,
    now,
    rows,
    draft,
    cells,
    fresh,
    waiting,
    steps,
    selectWrong,
    ...moves,
    ...editing,
  };
}

type Cells = ReturnType<typeof useGridCells>;

function useMoves(cells: Cells, order: GridOrder) {
  const { selection } = cells;
  /** Whether the active cell takes focus when rendered: not if the user has just moved focus elsewhere. */
  const wantsFocus = useRef(false);

  function select(next: Selection | null): void {
    wantsFocus.current = true;
    cells.select(next);
    cells.say("");
  }

  /** Returns focus to the active cell. */
  function focus(): void {
    wantsFocus.current = true;
    cells.select(selection && { ...selection });
  }

  function move(way: Move): void {
    if (!selection) return;
    const { active } = selection;
    const step = way === "next" ? 1 : -1;
    if (way === "all") focus();
    else if (way === "next" || way === "back")
      select(selectCell(stepCell(active, step, order, isEdited) ?? active));
    else select(selectCell(moveCell(active, ...WAYS[way], order)));
  }

  return { wantsFocus, select, focus, move };
}

function useEditing(cells: Cells, { focus, move }: ReturnType<typeof useMoves>) {
  const [editing, setEditing] = useState<Editing | null>(null);

  /** Opens the active cell with its content, or with what was typed; "" if an input method is still composing that. */
  function open(typed?: string): void {
    const spot = cells.selection?.active;
    const key = spot && keyAt(spot);
    const field = key && partsOf(key).field;
    if (!field) cells.say("This column is only read here");
    else if (field === "checked") cells.markRight();
    else {
      // Nothing can be composed into a list of choices.
      const first = typed === "" && choicesOf(field) ? undefined : typed;
      setEditing({ spot, text: first ?? cells.textAt(key), isTyped: first !== undefined });
    }
  }

  /** Ends editing; without a move, focus is elsewhere already. */
  function commit(text: string, way?: Move): void {
    if (!editing) return;
    close();
    const isUntouched = editing.isTyped && editing.text === "" && text === "";
    if (!isUntouched) {
      if (way === "all") cells.typeAll(text);
      else cells.type([[editing.spot, text]]);
    }
    if (way) move(way);
  }

  function cancel(): void {
    close();
    focus();
  }

  function close(): void {
    setEditing(null);
    keepTyping(null);
  }

  return { editing, open, commit, cancel };
}

export type Grid = ReturnType<typeof useGrid>;

const WAYS: Record<"down" | "up" | "left" | "right", [down: number, right: number]> = {
  down: [1, 0],
  up: [-1, 0],
  left: [0, -1],
  right: [0, 1],
};

/** How long a published change stays highlighted in an open grid, in milliseconds. */
const FRESH_FOR = 10_000;
const NONE: ReadonlySet<CellKey> = new Set();

/** The cells that someone published a moment ago, while the grid was open. */
function useFreshCells(items: readonly Item[]): ReadonlySet<CellKey> {
  const [fresh, setFresh] = useState(NONE);
  const before = useRef(items);
  useEffect(() => {
    const changed = findChanges(before.current, items);
    before.current = items;
    if (changed.size > 0) setFresh(changed);
  }, [items]);
  useEffect(() => {
    if (fresh === NONE) return;
    const timer = setTimeout(() => setFresh(NONE), FRESH_FOR);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}

function findChanges(before: readonly Item[], after: readonly Item[]): Set<CellKey> {
  const changed = new Set<CellKey>();
  const known = new Map(before.map((item) => [item.id, item]));
  for (const item of after) {
    const old = known.get(item.id);
    if (!old || old === item) continue;
    for (const { field } of GRID_COLUMNS) {
      if (field && storedText(old, field) !== storedText(item, field)) changed.add(keyOf(item.id, field));
    }
  }
  return changed;
}
