import fs, { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TURN } from "./build-site.mjs";
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
    (await takeTurn(file, onWait)).release();
    expect(onWait).not.toHaveBeenCalled();
  },
);

test("a second process says that it waits, however long, and comes after the first", async () => {
  const first = await takeTurn(file, () => {});
  vi.advanceTimersByTime(HOUR_MS);
  const order: string[] = [];
  const second = takeTurn(file, () => order.push("waits")).then((turn) => {
    order.push("has it");
    return turn;
  });
  order.push("first ends");
  first.release();
  (await second).release();
  expect(order).toEqual(["waits", "first ends", "has it"]);
});

test("who was suspended for so long that the turn lapsed has lost it, and leaves the next one's alone", async () => {
  const first = await takeTurn(file, () => {});
  const asleep = new Date(Date.now() - HOUR_MS);
  utimesSync(file, asleep, asleep);
  const second = await takeTurn(file, () => {});
  expect([first.isOurs(), second.isOurs()]).toEqual([false, true]);
  first.release();
  expect(second.isOurs()).toBe(true);
  second.release();
  expect(existsSync(file)).toBe(false);
});

test("nobody keeps the turn of another alive", async () => {
  const first = await takeTurn(file, () => {});
  writeFileSync(file, "another's");
  const asleep = new Date(Date.now() - HOUR_MS);
  utimesSync(file, asleep, asleep);
  vi.advanceTimersByTime(5_000);
  expect(statSync(file).mtimeMs).toBe(asleep.getTime());
  first.release();
});

test("a process whose turn is removed while it renews it goes on", async () => {
  const first = await takeTurn(file, () => {});
  const times = vi.spyOn(fs, "utimesSync").mockImplementation(() => {
    throw new Error("ENOENT");
  });
  syncBuiltinESMExports();
  expect(() => vi.advanceTimersByTime(5_000)).not.toThrow();
  expect(times).toHaveBeenCalled();
  times.mockRestore();
  syncBuiltinESMExports();
  first.release();
});

test("the turn to build is kept where no build removes it", () => {
  const built = fileURLToPath(new URL("../build/", import.meta.url));
  expect(TURN.startsWith(built)).toBe(false);
});
