import { expect, test } from "vitest";
import { compareRanks } from "./rank-test.ts";

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

test("samples that lie apart are told apart, in either order", () => {
  const [low, high] = [range(0, 30), range(100, 30)];
  expect(compareRanks(low, high).p).toBeLessThan(1e-6);
  expect(compareRanks(low, high).z).toBeCloseTo(-compareRanks(high, low).z);
});

test("equal samples, ties and all, are not", () => {
  expect(compareRanks(range(0, 30), range(0, 30))).toMatchObject({ z: 0, p: expect.closeTo(1) });
  expect(compareRanks([1, 1, 1], [1, 1, 1])).toEqual({ z: 0, p: expect.closeTo(1) });
});

test("a textbook's example comes out as in the textbook", () => {
  // U = 6 of 5 and 6 values: z = (6 - 15) / sqrt(30) without ties.
  const { z } = compareRanks([1, 2, 3, 6, 9], [4, 5, 7, 8, 10, 11]);
  expect(z).toBeCloseTo((6 - 15) / Math.sqrt(30), 6);
});
