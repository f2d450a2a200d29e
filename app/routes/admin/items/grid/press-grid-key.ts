import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { isEdited } from "./model/columns.ts";
import {
  moveCell,
  type Selection,
  selectCell,
  selectColumns,
  selectRows,
  stepCell,
} from "./model/selection.ts";
import type { Grid } from "./use-grid.ts";

const PAGE = 15;
const FAR = Number.MAX_SAFE_INTEGER;

/** How far each key moves, alone and with Ctrl. */
const MOVES: Record<string, [down: number, right: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [PAGE, 0],
  PageUp: [-PAGE, 0],
  Home: [0, -FAR],
  End: [0, FAR],
};

/** The other actions of the grid's keys, supplied by the screen. */
export type GridKeys = {
  publish(): void;
  find(): void;
  help(): void;
  percent(): void;
  round(): void;
  /** Whether Tab leaves the grid, which Escape allows until another key is pressed. */
  mayLeave: { current: boolean };
};

/** Handles a key in the grid while no cell is open. */
export function pressGridKey(event: KeyboardEvent<HTMLElement>, grid: Grid, keys: GridKeys): void {
  const { selection } = grid.cells;
  if (!selection || event.altKey || event.nativeEvent.isComposing) return;
  const isLeaving = event.key === "Tab" && keys.mayLeave.current;
  if (event.key !== "Shift") keys.mayLeave.current = event.key === "Escape";
  if (isLeaving) return;
  const isDone =
    event.ctrlKey || event.metaKey ? pressWithCtrl(event, grid, keys) : pressAlone(event, grid, keys);
  if (isDone || goTo(event, selection, grid)) event.preventDefault();
}

/** Arrows and similar keys: alone they move, with Shift they extend the selection, with Ctrl they go to the end. */
function goTo(
  { key, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  { active, end }: Selection,
  grid: Grid,
): boolean {
  const way = MOVES[key];
  if (!way) return false;
  const isFar = ctrlKey || metaKey;
  const [down, right] = isFar && key.startsWith("Arrow") ? [way[0] * FAR, way[1] * FAR] : way;
  const vertical = isFar && key === "Home" ? -FAR : isFar && key === "End" ? FAR : down;
  const spot = moveCell(shiftKey ? end : active, vertical, right, grid.rows.order);
  grid.select(shiftKey ? { active, end: spot } : selectCell(spot));
  return true;
}

function pressAlone(event: KeyboardEvent, grid: Grid, keys: GridKeys): boolean {
  const { key, shiftKey } = event;
  const { selection, drop, markRight } = grid.cells;
  if (!selection) return false;
  switch (key) {
    case "Enter":
      grid.move(shiftKey ? "up" : "down");
      return true;
    case "Tab":
      return pressTab(shiftKey, selection, grid);
    case "F2":
      grid.open();
      return true;
    case "Escape":
      grid.select(selectCell(selection.active));
      return true;
    case "Delete":
    case "Backspace":
      drop();
      return true;
    // An input method or an accent: what it composes goes to the field, which has to have focus by then.
    case "Process":
    case "Dead":
      grid.open("");
      return false;
    case " ":
      if (shiftKey) grid.select(selectRows(selection.active.row, selection.end.row, grid.rows.order));
      return true;
  }
  const act = { "/": keys.find, "?": keys.help, "%": keys.percent, "~": keys.round, "!": markRight }[key];
  if (act) act();
  else if (key.length === 1) grid.open(key);
  return Boolean(act) || key.length === 1;
}

/** At the last cell (backward, the first) Tab leaves the grid. */
function pressTab(isBack: boolean, { active }: Selection, grid: Grid): boolean {
  const next = stepCell(active, isBack ? -1 : 1, grid.rows.order, isEdited);
  if (next) grid.select(selectCell(next));
  return next !== null;
}

function pressWithCtrl({ key, shiftKey }: KeyboardEvent, grid: Grid, keys: GridKeys): boolean {
  const { cells, rows, steps } = grid;
  const { selection } = cells;
  const [first, last] = [rows.order.rows[0], rows.order.rows.at(-1)];
  switch (key.toLowerCase()) {
    case "a":
      if (first && last) grid.select(selectRows(first, last, rows.order));
      return true;
    case " ":
      if (selection) grid.select(selectColumns(selection.active.column, selection.end.column, rows.order));
      return true;
    case "z":
      (shiftKey ? steps.redo : steps.undo)();
      return true;
    case "y":
      steps.redo();
      return true;
    case "d":
      cells.fill();
      return true;
    case "enter":
      keys.publish();
      return true;
  }
  return false;
}

const TYPING = "input, textarea, select, dialog, [role=grid]";

/** Shortcuts that also work outside the grid: if nothing, or a button of the panel, has focus. */
export function usePanelKeys(
  section: RefObject<HTMLElement | null>,
  keys: GridKeys,
  steps: Grid["steps"],
): void {
  const latest = useRef({ keys, steps });
  useLayoutEffect(() => {
    latest.current = { keys, steps };
  });
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent): void {
      const target = event.target as HTMLElement;
      const panel = section.current;
      const isHere = target === document.body || panel?.contains(target);
      if (!isHere || !panel?.checkVisibility() || target.closest(TYPING) || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const act = actOf(event, latest.current.keys, latest.current.steps);
      if (act) event.preventDefault();
      act?.();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [section]);
}

function actOf(
  event: globalThis.KeyboardEvent,
  keys: GridKeys,
  steps: Grid["steps"],
): (() => void) | undefined {
  const { key, shiftKey } = event;
  if (!event.ctrlKey && !event.metaKey) return { "/": keys.find, "?": keys.help }[key];
  const undoOrRedo = shiftKey ? steps.redo : steps.undo;
  return { z: undoOrRedo, y: steps.redo, enter: keys.publish }[key.toLowerCase()];
}
