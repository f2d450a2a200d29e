import type { Item } from "#app/features/items/item-queries.ts";
import type { LedgerRow } from "#app/routes/admin/items/admin-item-queries.ts";

/** The columns of each mode's value and of the one before it. */
const COLUMNS = {
  regular: ["current_value", "previous_value"],
  permanent: ["permanent_value", "permanent_previous_value"],
} as const;

/**
 * Whether Undo is offered: on the last change of its mode (`rows` are the newest first), while the item stands as that
 * change left it. What it then does, and whether it still may, is the database's to say.
 */
export function canUndo(row: LedgerRow, rows: readonly LedgerRow[], item: Item): boolean {
  const [value, previous] = COLUMNS[row.mode === "permanent" ? "permanent" : "regular"];
  const isStill = item[value] === row.new_value && item[previous] === row.new_previous_value;
  return row.old_checked_at !== null && isStill && rows.find(({ mode }) => mode === row.mode) === row;
}
