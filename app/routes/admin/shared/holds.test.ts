import { expect, test } from "vitest";
import { holds } from "./holds.ts";

const row = {
  id: "1",
  name: "Tokens",
  icon: null,
  options: ["a", "b"],
  fields: { custom_a: 1, custom_b: 2 },
};

test("a row holds what was sent, whatever else it has and in whatever order", () => {
  expect(holds(row, { name: "Tokens", icon: null, fields: { custom_b: 2, custom_a: 1 } })).toBe(true);
});

test.each([
  { name: "tokens" },
  { icon: "" },
  { options: ["a"] },
  { options: ["b", "a"] },
  { fields: { custom_a: 1 } },
  { slug: "tokens" },
])("it does not hold %o", (sent) => {
  expect(holds(row, sent)).toBe(false);
});
