import { afterAll, beforeAll, expect, test } from "vitest";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { FAULTS } from "./faults.ts";
import { openScene, type Scene } from "./play-rounds.ts";

/** Ordered so that no round needs an extra restart: a killed site comes back with a different number of processes. */
const IN_SHORT = ["worker", "renewal", "postmaster", "restarted", "both"];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ workers: 2, people: 2, before: 100, dataDir: readyDataDir() });
}, 180_000);
afterAll(() => scene?.close());

test.each(IN_SHORT.flatMap((name) => FAULTS.filter((fault) => fault.name === name)))(
  "$name: no acknowledged write is lost, duplicated or half done, and the operator is told",
  { timeout: 300_000 },
  async (fault) => {
    const { findings, acknowledged } = await scene.play(fault);
    expect(findings).toEqual([]);
    expect(acknowledged).toBeGreaterThan(10);
  },
);
