import { expect, test } from "vitest";
import { findUsernameFault } from "./username.ts";

const FAULT = "Username must be 3 to 20 letters, digits or underscores";

test.each(["", "ab", "a".repeat(21), "with space", "dash-ed", "naïve", "abc\n", "🐉🐉🐉"])(
  "%j is refused",
  (username) => expect(findUsernameFault(username)).toBe(FAULT),
);

test.each(["abc", "A_1", "a".repeat(20), "___"])("%s is taken", (username) =>
  expect(findUsernameFault(username)).toBeNull(),
);
