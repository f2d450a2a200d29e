import { expect, test } from "vitest";
import type { Item } from "#app/features/items/item-queries.ts";
import type { LedgerRow } from "#app/routes/admin/items/admin-item-queries.ts";
import { canUndo } from "./undo-change.ts";

const row = (id: number, old_value: string | null, new_value: string, more: Partial<LedgerRow> = {}) =>
  ({
    id,
    mode: "regular",
    old_value,
    new_value,
    old_previous_value: null,
    new_previous_value: old_value,
    old_checked_at: "2026-08-17",
    ...more,
  }) as LedgerRow;
const item = (current_value: string, previous_value: string) => ({ current_value, previous_value }) as Item;
const undoable = (rows: LedgerRow[], now: Item) =>
  rows.filter((each) => canUndo(each, rows, now)).map(({ id }) => id);

const rows = [row(5, "4", "5", { mode: "permanent" }), row(3, "660", "640"), row(2, "500", "660")];

test("only the latest change of a mode can be undone, and only while the item still has its values", () => {
  expect(undoable(rows, item("640", "660"))).toEqual([3]);
  expect(undoable(rows, item("640", "1"))).toEqual([]);
  expect(undoable(rows, item("0.64K", "660"))).toEqual([]);
  expect(
    undoable(rows, { ...item("700", "640"), permanent_value: "5", permanent_previous_value: "4" }),
  ).toEqual([5]);
});

test("a reading, or an item's initial value, cannot be undone", () => {
  const reading = row(4, "640", "640", { old_checked_at: null, new_previous_value: null });
  expect(undoable([reading, ...rows], item("640", "660"))).toEqual([]);
});
