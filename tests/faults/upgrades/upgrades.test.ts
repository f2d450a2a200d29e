import { afterAll, beforeAll, expect, test } from "vitest";
import { openUpgrades, type Upgrades } from "./play-upgrade.ts";
import { RELEASED_STATES, type ReleasedState } from "./released-states.ts";

let upgrades: Upgrades;
beforeAll(() => {
  upgrades = openUpgrades();
});
afterAll(() => upgrades.close());

test("a site of before the baseline whose upgrade is killed in the middle loses nothing and is like any other", {
  timeout: 180_000,
}, async () => {
  const [oldest] = RELEASED_STATES;
  const { findings, rows, done, todo } = await upgrades.play(oldest as ReleasedState);
  expect(findings).toEqual([]);
  expect(rows).toBeGreaterThan(50);
  expect(done).toBeLessThan(todo);
});
