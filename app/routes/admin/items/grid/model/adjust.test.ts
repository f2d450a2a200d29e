import { expect, test } from "vitest";
import { raiseBy, readPercent, readRounding, roundValue } from "./adjust.ts";

test.each([
  ["100M", 5, "105M"],
  ["6.98B", -10, "6.282B"],
  ["1,250,000", 5, "1312500"],
  ["950K", 10, "1.045M"],
  ["12", 5, "12.6"],
  ["0", 5, "0"],
  ["N/A", 5, null],
  ["", 5, null],
])("%s by %d %% is %s", (text, percent, raised) => expect(raiseBy(text, percent)).toBe(raised));

test.each([
  ["643.2M", "2 digits", "640M"],
  ["643.2M", "1 digit", "600M"],
  ["643.2M", "5M", "645M"],
  ["1.045M", "3 digits", "1.05M"],
  ["997M", "2 digits", "1B"],
  ["1312500", "100K", "1300000"],
  ["N/A", "2 digits", null],
])("%s to %s is %s", (text, to, rounded) => {
  const rounding = readRounding(to);
  expect(rounding && roundValue(text, rounding)).toBe(rounded);
});

test("rounding and percentages are parsed from numbers; anything else is null", () => {
  expect(["", "digits", "9 digits", "0", "x"].map(readRounding)).toEqual([null, null, null, null, null]);
  expect(["5", "+5 %", "-2.5", "2,5%", "−3", "\u200b4"].map(readPercent)).toEqual([5, 5, -2.5, 2.5, -3, 4]);
  expect(["", "0", "-100", "five", "5 % more"].map(readPercent)).toEqual([null, null, null, null, null]);
});
