import { expect, test } from "vitest";
import { parseValue } from "../values/value-text.ts";
import { typedNumber } from "./typed-number.ts";

test.each([
  ["٥٫٥M", 5_500_000],
  ["۱٬۲۳۴", 1_234],
  ["१०९", 109],
  ["১০K", 10_000],
  ["６４０Ｍ".normalize("NFKC"), 640_000_000],
  ["６４０", 640],
  [" \u200f٧\u200b ", 7],
])("%s is read as the number that its keyboard means", (typed, number) =>
  expect(parseValue(typedNumber(typed))).toBe(number),
);

test("what is no number stays what it is", () => expect(typedNumber("1,5M")).toBe("1,5M"));
