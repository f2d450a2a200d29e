import { expect, test } from "vitest";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { describeChanges } from "./describe-changes.ts";

const kitsune = (current_value: string) =>
  ({ slug: "kitsune", name: "Kitsune", current_value }) as CalculatorItem;

test.each([
  [null, "Kitsune went from 640M to 700M."],
  [["name", "current_value"], "Kitsune went from 640M to 700M."],
  [["current_value"], ""],
  [["name"], ""],
])("with the fields %j visible a changed value is described as %j", (configuration, text) => {
  const known = new Map([["kitsune", kitsune("640M")]]);
  expect(describeChanges(known, [{ item: kitsune("700M"), mode: "regular" }], configuration)).toBe(text);
});
