import { expect, test } from "vitest";
import { describeChange, isLargeChange } from "./large-change.ts";

test.each([
  ["640M", "64M", true],
  ["640M", "6.4B", true],
  ["100", "151", true],
  ["100", "49", true],
  ["640M", "N/A", true],
  ["100", "150", false],
  ["100", "50", false],
  ["1000K", "1M", false],
  ["0", "5B", false],
  ["N/A", "5B", false],
  [null, "5B", false],
])("from %s to %s: %s", (before, after, isLarge) => expect(isLargeChange(before, after)).toBe(isLarge));

test("is told with its share where there is one", () => {
  expect(describeChange("640M", "700M")).toBe("640M → 700M (+9.38%)");
  expect(describeChange(null, "700M")).toBe("– → 700M");
  expect(describeChange("6980000000", 6_240_000_000)).toBe("6.98B → 6.24B (-10.60%)");
  expect(describeChange("640M", "N/A")).toBe("640M → N/A");
});
