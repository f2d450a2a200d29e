import { expect, test } from "vitest";
import { hullOf, initialsOf } from "./initials.ts";

test.each([
  ["SwiftOtter100", "SO"],
  ["calm_panda", "CP"],
  ["ana", "AN"],
  ["Ana99", "AN"],
  ["__x__", "X"],
  ["123", "12"],
  ["XQC", "XQ"],
])("the initials of %s are %s", (username, initials) => expect(initialsOf(username)).toBe(initials));

test("a name always has the same color, and names have different ones", () => {
  expect(hullOf("SwiftOtter100")).toBe("[--hull:#855000]");
  expect(new Set(["ana", "anb", "anc", "and", "ane"].map(hullOf)).size).toBe(5);
});
