import { expect, test } from "vitest";
import { parseCustomFields } from "./custom-field-input.ts";

const field = (type: string, more = {}) => ({
  name: `custom_${type}`,
  label: type,
  type,
  options: ["Sea", "Sky"],
  required: false,
  ...more,
});
const ALL = ["text", "select", "number", "checkbox"].map((type) => field(type));

test.each([
  ["custom_number", "three", "number must be a number"],
  ["custom_number", "Infinity", "number must be a number"],
  ["custom_select", "Land", "Invalid select"],
  ["custom_checkbox", "perhaps", "checkbox must be Yes or No"],
  ["custom_checkbox", "constructor", "checkbox must be Yes or No"],
])("%s refuses %s: %s", (name, typed, sentence) => {
  expect(parseCustomFields(ALL, { [name]: typed }).faults).toEqual({ [name]: sentence });
});

test("a needed field must hold something", () => {
  const needed = [field("text", { required: true })];
  expect(parseCustomFields(needed, { custom_text: " " }).faults).toEqual({ custom_text: "text is required" });
});

test("each field is kept with its type; an emptied one goes, one that was not asked for stays", () => {
  const typed = {
    custom_text: " a ",
    custom_select: "Sky",
    custom_number: "\u200b1.5",
    custom_checkbox: false,
  };
  expect(parseCustomFields(ALL, typed, { custom_removed: 1 }).fields).toEqual({
    custom_text: "a",
    custom_select: "Sky",
    custom_number: 1.5,
    custom_checkbox: false,
    custom_removed: 1,
  });
  expect(parseCustomFields(ALL, { custom_text: "" }, { custom_text: "a", custom_number: 2 }).fields).toEqual({
    custom_number: 2,
  });
});

test("an option that was taken away stays where it was chosen before", () => {
  const typed = { custom_select: "Land" };
  expect(parseCustomFields(ALL, typed, { custom_select: "Land" })).toEqual({ fields: typed, faults: {} });
});
