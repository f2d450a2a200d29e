import { expect, test } from "vitest";
import { initialsOf } from "./initials.ts";

test.each([
  ["SwiftOtter100", "SO"],
  ["calm_panda", "CP"],
  ["ana", "AN"],
  ["Ana99", "AN"],
  ["__x__", "X"],
  ["123", "12"],
  ["XQC", "XQ"],
])("the initials of %s are %s", (username, initials) => expect(initialsOf(username)).toBe(initials));
