import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

const NOW = 1_000_000;

test("five are sent at once, each further one ten seconds after the fifth before it", () => {
  const pace = createPace();
  const turns = Array.from({ length: 12 }, (_, at) => pace.takeTurn(String(at), NOW) - NOW);
  expect(turns).toEqual([0, 0, 0, 0, 0, ...Array(5).fill(10_300), 20_600, 20_600]);
});

test("a slow writer never waits", () => {
  const pace = createPace();
  for (let at = 0; at < 100; at += 1) {
    expect(pace.takeTurn(String(at), NOW + at * 2100)).toBe(NOW + at * 2100);
  }
});

test("a discarded message leaves its turn to the next one", async () => {
  const pace = createPace();
  const now = performance.now();
  for (const id of "abcde") pace.takeTurn(id, now);
  const waiting = pace.comeTo("f", pace.takeTurn("f", now));
  pace.giveUp("f");
  await waiting;
  expect(pace.takeTurn("g", now)).toBe(now + 10_300);
});
