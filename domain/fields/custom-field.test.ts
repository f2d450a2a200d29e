import { expect, test } from "vitest";
import { customFieldKey, customFieldLabel, customFieldsOf, formatCustomFieldValue } from "./custom-field.ts";

test("a key is custom_ and the lower-cased name with underscores, and reads back as a label", () => {
  expect(customFieldKey("Trade Volume Per Day")).toBe("custom_trade_volume_per_day");
  expect(customFieldLabel("custom_trade_volume_per_day")).toBe("Trade Volume Per Day");
});

test("a boolean reads Yes or No", () => {
  expect([true, false, 0, "Sea 2"].map(formatCustomFieldValue)).toEqual(["Yes", "No", "0", "Sea 2"]);
});

test("whatever is no custom field is left out", () => {
  expect(customFieldsOf(null)).toEqual([]);
  expect(customFieldsOf(["custom_a"])).toEqual([]);
  expect(customFieldsOf({ custom_a: {}, b: 1, custom_c: null, custom_d: "", custom_e: false })).toEqual([
    ["custom_e", false],
  ]);
});
