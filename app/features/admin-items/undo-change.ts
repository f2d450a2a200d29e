import type { Item } from "#app/features/items/item-queries.ts";
import type { ItemPatch, LedgerRow } from "./admin-item-queries.ts";

/** The columns of each mode's value and of the one before it. */
const COLUMNS = {
  regular: ["current_value", "previous_value", "current_value_number"],
  permanent: ["permanent_value", "permanent_previous_value", "permanent_value_number"],
} as const;
const columnsOf = ({ mode }: LedgerRow) => COLUMNS[mode === "permanent" ? "permanent" : "regular"];

/** A reading that only confirmed a value changed nothing. */
const changesOf = (rows: readonly LedgerRow[], like: LedgerRow) =>
  rows.filter(({ mode, old_value, new_value }) => mode === like.mode && old_value !== new_value);

/** Whether this is the last change of its mode, the item still has what it made, and what was before can be stored. */
export function canUndo(row: LedgerRow, rows: readonly LedgerRow[], item: Item): boolean {
  const [last] = changesOf(rows, row);
  const isStill = item[columnsOf(row)[2]] === row.new_number;
  return last === row && isStill && (row.mode === "permanent" || row.old_value !== null);
}

/**
 * What an item had before a change: its value and, where the change had moved that on to be the previous one, the
 * previous value of that time. `rows` are the newest first.
 */
export function valuesBefore(row: LedgerRow, rows: readonly LedgerRow[], item: Item): ItemPatch {
  const [value, previous] = columnsOf(row);
  const earlier = changesOf(rows, row)[1]?.old_value;
  const wasMoved = item[previous] === row.old_value && earlier != null;
  return { [value]: row.old_value, ...(wasMoved ? { [previous]: earlier } : {}) };
}
