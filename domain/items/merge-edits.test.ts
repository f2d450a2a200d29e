import fc from "fast-check";
import { expect, test } from "vitest";
import { compareEdits, mergeEdits } from "./merge-edits.ts";

const base = { value: "1", demand: "low", rarity: "rare" };
const mine = { value: "2", demand: "high", rarity: "rare" };
const theirs = { value: "3", demand: "low", rarity: "common" };

test("tells a field that both changed from those that one of them changed", () => {
  const told = compareEdits(base, mine, theirs).map(({ field, isClash }) => [field, isClash]);
  expect(told).toEqual([
    ["value", true],
    ["demand", false],
    ["rarity", false],
  ]);
});

test("keeps what only one of them changed, and of a clash what was chosen", () => {
  const differences = compareEdits(base, mine, theirs);
  expect(mergeEdits(differences, theirs, new Set())).toEqual({
    value: "3",
    demand: "high",
    rarity: "common",
  });
  expect(mergeEdits(differences, theirs, new Set(["value"]))).toEqual({
    value: "2",
    demand: "high",
    rarity: "common",
  });
});

test("loses nothing: each merged text is one of the two, and whoever changed nothing changes nothing", () => {
  const texts = fc.record({ a: fc.constantFrom("", "1", "2"), b: fc.constantFrom("", "1", "2") });
  fc.assert(
    fc.property(texts, texts, texts, fc.subarray(["a", "b"]), (was, own, their, kept) => {
      const merged = mergeEdits(compareEdits(was, own, their), their, new Set(kept));
      for (const field of ["a", "b"] as const) expect([own[field], their[field]]).toContain(merged[field]);
      expect(mergeEdits(compareEdits(was, was, their), their, new Set(kept))).toEqual(their);
    }),
  );
});
