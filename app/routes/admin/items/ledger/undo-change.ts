import type { Item } from "#app/features/items/item-queries.ts";
import type { LedgerRow } from "#app/routes/admin/items/admin-item-queries.ts";

/** The columns of each mode's value and previous value. */
const COLUMNS = {
  regular: ["current_value", "previous_value"],
  permanent: ["permanent_value", "permanent_previous_value"],
} as const;

/**
 * Whether Undo is offered: for the latest change of its mode (`rows` are newest first), while the item still has the
 * values of that change. The database decides whether it is still allowed, and what it does.
 */
export function canUndo(row: LedgerRow, rows: readonly LedgerRow[], item: Item): boolean {
  const [value, previous] = COLUMNS[row.mode === "permanent" ? "permanent" : "regular"];
  const isStill = item[value] === row.new_value && item[previous] === row.new_previous_value;
  return row.old_checked_at !== null && isStill && rows.find(({ mode }) => mode === row.mode) === row;
}
