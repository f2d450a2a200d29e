import { describe, expect, test } from "vitest";
import { lastMove } from "./last-move.ts";
import { figuresOf } from "./view-mode.ts";

const reading = (changed_at: string, old_number: number | null, new_number: number | null) => ({
  changed_at,
  old_number,
  new_number,
});
const figures = (current_value: string, previous_value: string | null) =>
  figuresOf({ current_value, previous_value }, "regular");

describe("the last move of a value", () => {
  const readings = [
    reading("2026-08-18T00:00:00Z", 5, 5),
    reading("2026-08-11T09:00:00Z", 4, 5),
    reading("2026-08-01T00:00:00Z", null, 4),
  ];

  test("is neither its first reading nor one that only confirmed it", () => {
    expect(lastMove(readings, figures("5", "4"))).toBe("2026-08-11T09:00:00Z");
    expect(lastMove(readings.slice(2), figures("4", null))).toBeNull();
    expect(lastMove([], figures("5", "4"))).toBeNull();
  });

  test("led to the present value from the previous one, so that an undo does not count", () => {
    const undone = [
      reading("2026-11-27T10:05:00Z", 50, 5),
      reading("2026-11-27T10:00:00Z", 5, 50),
      ...readings,
    ];
    expect(lastMove(undone, figures("5", "4"))).toBe("2026-08-11T09:00:00Z");
    expect(lastMove(readings, figures("5", "3"))).toBeNull();
  });

  test("of a stable value led to it from any other", () => {
    expect(lastMove(readings, figures("5", "5"))).toBe("2026-08-11T09:00:00Z");
  });
});
