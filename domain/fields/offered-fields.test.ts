import { expect, test } from "vitest";
import { FIELD_NAMES } from "./field-visibility.ts";
import { OFFERED_FIELDS, withVisibility } from "./offered-fields.ts";

test("every page is offered the ten fields of the specification, in its order", () => {
  expect(OFFERED_FIELDS.join()).toBe(
    "image,name,category,rarity,type,demand,current_value,previous_value,beli_price,value_change",
  );
});

test("hiding one field of a page that had no list leaves all others visible, the unoffered one too", () => {
  const list = withVisibility(null, ["custom_origin"], "rarity", false);
  expect(list.toSorted()).toEqual(
    [...FIELD_NAMES.filter((name) => name !== "rarity"), "custom_origin"].toSorted(),
  );
});

test("what the panel does not know stays as it was", () => {
  expect(withVisibility(["name", "custom_old"], [], "name", false)).toEqual(["custom_old"]);
  expect(withVisibility(["name"], [], "name", true)).toEqual(["name"]);
});
