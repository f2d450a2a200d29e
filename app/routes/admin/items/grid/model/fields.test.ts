import { expect, test } from "vitest";
import { faultOf, readTyped, showText } from "./fields.ts";

test("choices are recognized in any notation, and anything else is refused", () => {
  expect(["Very High", " very-high ", "LOW", "huge"].map((text) => readTyped("demand", text))).toEqual([
    "very_high",
    "very_high",
    "low",
    "huge",
  ]);
  expect(faultOf("demand", "low")).toBeNull();
  expect(faultOf("demand", "huge")).toBe("One of Low, Medium, High, Very High");
  expect(showText("demand", "very_high")).toBe("Very High");
});

test("a value is a number or N/A, and only a permanent one may be empty", () => {
  expect(["640M", "1,250,000", "n/a", "0"].map((text) => faultOf("current_value", text))).toEqual(
    Array(4).fill(null),
  );
  expect(faultOf("current_value", "")).toBe("Value is required");
  expect(faultOf("permanent_value", "")).toBeNull();
  expect(faultOf("current_value", "1".repeat(21))).toBe("Value is too long");
  expect(faultOf("permanent_value", "640 Mio")).toMatch(/^Not a number/);
  expect(showText("permanent_value", "")).toBe("–");
});

test("what is pasted along with a number and cannot be seen is left out", () => {
  expect(
    ["\u200b640M", "1.2\u2060B", "\ufeff 5,000 \u200e"].map((text) => readTyped("current_value", text)),
  ).toEqual(["640M", "1.2B", "5,000"]);
});

test("an end of a range is a number, or empty", () => {
  expect(["8M", "", "0"].map((text) => faultOf("current_low", text))).toEqual(Array(3).fill(null));
  expect(["N/A", "some"].map((text) => faultOf("permanent_high", text))).toEqual(
    Array(2).fill("Not a number. Empty is none"),
  );
  expect(showText("current_low", "")).toBe("–");
});
