import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatChange, formatPercentage, valueChange } from "./value-change.ts";

describe("the change of a value", () => {
  test.each([
    [null, 5],
    [5, null],
    [null, null],
  ])("from %j to %j there is not enough data", (previous, current) => {
    expect(valueChange(current, previous)).toBeNull();
  });

  test.each([
    ["Kitsune", 640e6, 660e6, "-20M", "-3.03%", "Falling"],
    ["Werewolf", 1.06e9, 1.01e9, "+50M", "+4.95%", "Rising"],
    ["Control", 160e6, 160e6, "0", "0.00%", "Stable"],
    ["from nothing", 5e6, 0, "+5M", "0.00%", "Rising"],
  ])("%s", (_name, current, previous, change, percentage, trend) => {
    const found = valueChange(current, previous);
    expect(found && formatChange(found.change)).toBe(change);
    expect(found && formatPercentage(found.percentage)).toBe(percentage);
    expect(found?.trend).toBe(trend);
  });

  test("a percentage has two decimals and is never NaN, Infinity or minus zero", () => {
    const value = fc.oneof(fc.constant(0), fc.double({ min: 1e-18, max: 1e31, noNaN: true }));
    fc.assert(
      fc.property(value, value, (current, previous) => {
        const change = valueChange(current, previous);
        expect(formatPercentage(change?.percentage ?? Number.NaN)).toMatch(/^[+-]?[\d.e+]+%$/);
        expect(formatPercentage(change?.percentage ?? Number.NaN)).not.toMatch(/-0\.00|NaN|Infinity/);
      }),
    );
  });
});
