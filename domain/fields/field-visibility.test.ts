import { expect, test } from "vitest";
import { FIELD_NAMES, isVisible } from "./field-visibility.ts";

test("a field that a saved configuration leaves out is hidden, custom fields too", () => {
  expect(isVisible(["image"], "name")).toBe(false);
  expect(isVisible([], "image")).toBe(false);
  expect(isVisible(["image"], "custom_tier")).toBe(false);
});

test("without a saved configuration every field is visible", () => {
  expect([...FIELD_NAMES, "custom_tier" as const].every((field) => isVisible(null, field))).toBe(true);
});

test("a saved field is visible", () => expect(isVisible(["image", "custom_tier"], "custom_tier")).toBe(true));
