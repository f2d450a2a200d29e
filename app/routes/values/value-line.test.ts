import { describe, expect, test } from "vitest";
import { linePath, packLine } from "./value-line.ts";

const reading = (changed_at: string, old_number: number | null, new_number: number | null) => ({
  changed_at,
  old_number,
  new_number,
});

describe("the packed line of a year", () => {
  test("has a level per step, from the least to the greatest, and ends with the last known value", () => {
    const readings = [reading("2026-08-01T00:00:00Z", 100, 200), reading("2025-01-01T00:00:00Z", null, 100)];
    expect(packLine(readings, "2026-08-17")).toBe("000000000000000000000099");
    expect(packLine(readings, "2026-11-22")).toBe("000000000000000099999999");
  });

  test("is level if nothing moved, has gaps without a value, and begins with the first one", () => {
    expect(packLine([reading("2026-06-01T00:00:00Z", null, 7)], "2026-11-22")).toBe("5".repeat(24));
    const readings = [
      reading("2026-07-01T00:00:00Z", null, 7),
      reading("2026-06-01T00:00:00Z", 7, null),
      reading("2026-05-01T00:00:00Z", null, 7),
    ];
    expect(packLine(readings, "2026-08-01")).toBe("55555555-------555555555");
  });

  test("is empty if there is nothing to draw", () => {
    expect(packLine([], "2026-11-22")).toBe("");
    expect(packLine([reading("2026-06-01T00:00:00Z", 5, null)], "2026-11-22")).toBe("");
  });
});

test("draws a step at each change and leaves gaps", () => {
  expect(linePath("")).toBe("");
  expect(linePath("0099")).toBe("M0 9H2V0H4");
  expect(linePath("--5-55")).toBe("M2 4H3M4 4H6");
});
