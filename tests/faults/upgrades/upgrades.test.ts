import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { openUpgrades, type Upgrades } from "./play-upgrade.ts";
import { RELEASED_STATES, type ReleasedState } from "./released-states.ts";

let upgrades: Upgrades;
let today: string;
beforeAll(() => {
  today = readyDataDir();
  upgrades = openUpgrades(today);
});
afterAll(() => {
  upgrades.close();
  rmSync(today, { recursive: true, force: true });
});

test("a pre-baseline site whose upgrade is killed midway loses nothing and ends up like any other", {
  timeout: 180_000,
}, async () => {
  const [oldest] = RELEASED_STATES;
  const { findings, rows, done, todo } = await upgrades.play(oldest as ReleasedState);
  expect(findings).toEqual([]);
  expect(rows).toBeGreaterThan(50);
  expect(done).toBeLessThan(todo);
});
