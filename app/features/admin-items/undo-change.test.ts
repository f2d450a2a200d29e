import { expect, test } from "vitest";
import type { Item } from "#app/features/items/item-queries.ts";
import type { LedgerRow } from "./admin-item-queries.ts";
import { canUndo, valuesBefore } from "./undo-change.ts";

const row = (id: number, old_value: string | null, new_value: string, mode = "regular") =>
  ({ id, mode, old_value, new_value, new_number: Number.parseInt(new_value, 10) }) as LedgerRow;
const item = (current_value: string, previous_value: string) =>
  ({ current_value, previous_value, current_value_number: Number.parseInt(current_value, 10) }) as Item;

// Newest first; the reading between the changes confirmed 640.
const reading = row(4, "640", "640");
const last = row(3, "660", "640");
const rows = [row(5, "4", "5", "permanent"), reading, last, row(2, "500", "660"), row(1, null, "500")];

test("only the last real change of a mode can be undone, and only while the item has what it made", () => {
  const undoable = (now: Item) => rows.filter((each) => canUndo(each, rows, now)).map(({ id }) => id);
  expect(undoable(item("640", "660"))).toEqual([3]);
  expect(undoable({ ...item("700", "640"), permanent_value_number: 5 })).toEqual([5]);
  const [first] = [row(1, null, "500")];
  expect(canUndo(first, [first], item("500", "N/A"))).toBe(false);
});

test("the previous value goes back too where the change had moved it on", () => {
  expect(valuesBefore(last, rows, item("640", "660"))).toEqual({
    current_value: "660",
    previous_value: "500",
  });
  expect(valuesBefore(last, rows, item("640", "123"))).toEqual({ current_value: "660" });
});
