import { expect, test } from "vitest";
import { createLagMeter } from "./lag-meter.ts";

test("a replica lags by the age of the first change it lacks", () => {
  const lag = createLagMeter();
  expect([lag(0, 10n, 10n), lag(1, 20n, 10n), lag(2, 30n, 10n), lag(3, 30n, 20n)]).toEqual([0, 0, 1, 1]);
  expect(lag(4, 30n, 30n)).toBe(0);
});

test("the lag of a replica that stalls for a day is exact, and computed quickly", () => {
  const lag = createLagMeter();
  const looks = Array.from({ length: 86_400 }, (_, at) => lag(at, BigInt(at + 1), 0n));
  expect(looks.at(-1)).toBe(86_399);
});
