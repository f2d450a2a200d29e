import { afterAll, beforeAll, expect, test } from "vitest";
import { openUpgrades, type Upgrades } from "./play-upgrade.ts";
import { RELEASED_STATES, type ReleasedState } from "./released-states.ts";

let upgrades: Upgrades;
beforeAll(() => {
  upgrades = openUpgrades();
});
afterAll(() => upgrades.close());

test("a pre-baseline site whose upgrade is killed midway loses nothing and ends up like any other", {
  timeout: 180_000,
}, async () => {
  const [oldest] = RELEASED_STATES;
  const { findings, rows, done, todo } = await upgrades.play(oldest as ReleasedState);
  expect(findings).toEqual([]);
  expect(rows).toBeGreaterThan(50);
  expect(done).toBeLessThan(todo);
});
