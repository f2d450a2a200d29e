import { expect, test } from "vitest";
import { findPasswordFault } from "./password-rule.ts";

test.each([
  ["", "Password must be at least 12 characters", ["length", "characters"]],
  ["Abcdefgh1!x", "Password must be at least 12 characters", ["length"]],
  [`Aa1!${"x".repeat(125)}`, "Password must be at most 128 characters", ["length"]],
  ["ABCDEFGH123!", "Password must include a lowercase letter", ["characters"]],
  ["abcdefgh123!", "Password must include an uppercase letter", ["characters"]],
  ["Abcdefghijk!", "Password must include a number", ["characters"]],
  ["Abcdefgh1234", "Password must include a symbol", ["characters"]],
  ["Abcdefgh 123", "Password must include a symbol", ["characters"]],
  ["Abcdefghé123", "Password must include a symbol", ["characters"]],
  ["Aa1!😀😀😀😀😀", "Password must be at least 12 characters", ["length"]],
])("%j is refused: %s", (password, message, reasons) => {
  expect(findPasswordFault(password)).toEqual({ message, reasons });
});

test.each(["Abcdefgh12!x", `Aa1!${"x".repeat(124)}`, "Éàbcdefgh٣₿xx", "Aa1!😀😀😀😀😀😀😀😀"])(
  "%j is taken",
  (password) => {
    expect(findPasswordFault(password)).toBe(null);
  },
);
