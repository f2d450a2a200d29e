import { expect, test } from "vitest";
import { TimeBudget } from "./time-budget.ts";

test("a spent budget returns when the window ends, and delays no one else", () => {
  let now = 1_000;
  const budget = new TimeBudget(250, 5_000, () => now);
  budget.spend("rude", 249);
  expect(budget.isSpent("rude")).toBe(false);
  budget.spend("rude", 1);
  budget.spend("fine", 10);
  expect(["rude", "fine", "new"].map((person) => budget.isSpent(person))).toEqual([true, false, false]);
  now = 5_999;
  expect(budget.isSpent("rude")).toBe(true);
  now = 6_001;
  expect(budget.isSpent("rude")).toBe(false);
  budget.spend("rude", 200);
  expect(budget.isSpent("rude")).toBe(false);
});
