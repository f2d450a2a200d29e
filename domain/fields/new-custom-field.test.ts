import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { newCustomFieldSchema } from "./new-custom-field.ts";

const schema = newCustomFieldSchema([
  { name: "category_id", label: "Category" },
  { name: "custom_origin", label: "Origin" },
]);
const typed = { label: "Trade Volume", type: "text", options: "" };

function refusalOf(change: Partial<typeof typed>): string[] {
  const { issues } = v.safeParse(schema, { ...typed, ...change });
  return (issues ?? []).map(({ message, path }) => `${path?.[0]?.key}: ${message}`);
}

describe("refused", () => {
  const TAKEN = "label: A field with this name already exists";
  test.each([
    [{ label: "" }, "label: Field name is required"],
    [{ label: " \u00a0" }, "label: Field name is required"],
    [{ label: "origin" }, TAKEN],
    [{ label: " ORIGIN " }, TAKEN],
    [{ label: "category" }, TAKEN],
    [{ label: "a".repeat(51) }, "label: Field name must be at most 50 characters"],
    [{ label: "a-b" }, "label: Field name must only contain letters, numbers, and spaces"],
    [{ label: "a_b" }, "label: Field name must only contain letters, numbers, and spaces"],
    [{ label: "a\tb" }, "label: Field name must only contain letters, numbers, and spaces"],
    [{ type: "date" }, "type: Invalid type"],
    [{ type: "select", options: " \n " }, "options: A select needs at least one option"],
    [
      { type: "select", options: Array.from({ length: 101 }, (_, n) => n).join("\n") },
      "options: At most 100 options, 5000 characters together",
    ],
    [{ type: "select", options: "a".repeat(5001) }, "options: At most 100 options, 5000 characters together"],
  ])("%j", (change, message) => expect(refusalOf(change)[0]).toBe(message));
});

test("a name becomes a key; options are trimmed, once each, and a select's alone", () => {
  expect(v.parse(schema, { ...typed, label: " Trade Volume Per Day " })).toEqual({
    name: "custom_trade_volume_per_day",
    label: "Trade Volume Per Day",
    type: "text",
    options: [],
  });
  const select = v.parse(schema, { label: "Größe 2", type: "select", options: " S\nM\n\nS \r\nL" });
  expect(select).toMatchObject({ name: "custom_größe_2", options: ["S", "M", "L"] });
  expect(v.parse(schema, { ...typed, options: "left over" }).options).toEqual([]);
});

test("the longest name is allowed", () => {
  expect(refusalOf({ label: "é".repeat(50) })).toEqual([]);
});
