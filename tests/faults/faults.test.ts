import { afterAll, beforeAll, expect, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { openScene, type Scene } from "./play-rounds.ts";

const IN_SHORT = ["worker", "renewal", "postmaster", "restarted", "both"];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ workers: 2, people: 2, before: 100 });
}, 180_000);
afterAll(() => scene?.close());

test.each(FAULTS.filter(({ name }) => IN_SHORT.includes(name)))(
  "$name: nothing acknowledged is lost, doubled or half done, and the operator is told",
  { timeout: 300_000 },
  async (fault) => {
    const { findings, acknowledged } = await scene.play(fault);
    expect(findings).toEqual([]);
    expect(acknowledged).toBeGreaterThan(10);
  },
);
