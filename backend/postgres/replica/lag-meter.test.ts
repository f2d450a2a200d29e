import { expect, test } from "vitest";
import { createLagMeter } from "./lag-meter.ts";

test("a replica is as late as the first thing that it has not", () => {
  const lag = createLagMeter();
  expect([lag(0, 10n, 10n), lag(1, 20n, 10n), lag(2, 30n, 10n), lag(3, 30n, 20n)]).toEqual([0, 0, 1, 1]);
  expect(lag(4, 30n, 30n)).toBe(0);
});

test("one that stands still for a day is told of exactly, and in no time", () => {
  const lag = createLagMeter();
  const looks = Array.from({ length: 86_400 }, (_, at) => lag(at, BigInt(at + 1), 0n));
  expect(looks.at(-1)).toBe(86_399);
});
