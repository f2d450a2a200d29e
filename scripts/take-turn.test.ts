import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { takeTurn } from "./take-turn.mjs";

const HOUR_MS = 3_600_000;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turn-"));
  file = join(folder, "turn");
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

test.each([-HOUR_MS, HOUR_MS])(
  "what a killed process left is taken over, %i ms from now",
  async (distance) => {
    // The id of a process that always runs.
    writeFileSync(file, "1");
    const then = new Date(Date.now() + distance);
    utimesSync(file, then, then);
    const onWait = vi.fn();
    (await takeTurn(file, onWait))();
    expect(onWait).not.toHaveBeenCalled();
  },
);

test("a second process says that it waits, however long, and comes after the first", async () => {
  const release = await takeTurn(file, () => {});
  vi.advanceTimersByTime(HOUR_MS);
  const order: string[] = [];
  const second = takeTurn(file, () => order.push("waits")).then((releaseSecond) => {
    order.push("has it");
    return releaseSecond;
  });
  order.push("first ends");
  release();
  (await second)();
  expect(order).toEqual(["waits", "first ends", "has it"]);
});
