import { expect, test } from "vitest";
import { lastMove } from "./last-move.ts";

const reading = (changed_at: string, old_number: number | null, new_number: number | null) => ({
  changed_at,
  old_number,
  new_number,
});

test("what only confirmed a value, or was its first, is no move", () => {
  const readings = [
    reading("2026-08-18T00:00:00Z", 5, 5),
    reading("2026-08-11T09:00:00Z", 4, 5),
    reading("2026-08-01T00:00:00Z", null, 4),
  ];
  expect(lastMove(readings)).toBe("2026-08-11T09:00:00Z");
  expect(lastMove(readings.slice(2))).toBeNull();
  expect(lastMove([])).toBeNull();
});
