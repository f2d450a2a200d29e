import * as v from "valibot";
import { expect, test } from "vitest";
import { wordsOfCode } from "./report-code.ts";
import { lengthsOf, SANCTIONS, sanctionEnd, sanctionSchema } from "./sanction.ts";

test.each([
  [{ code: "spam", length: "2 hours", reason: "x" }, "Choose how long"],
  [{ code: "rude", reason: "x" }, "Choose why"],
  [{ code: "spam", reason: " " }, "Reason is required"],
  [{ code: "spam", reason: "a".repeat(201) }, "Reason must be at most 200 characters"],
])("%j is refused", (typed, message) => {
  expect(v.safeParse(sanctionSchema, typed).issues?.map((issue) => issue.message)).toEqual([message]);
});

test("a sanction ends so long from now, or never", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  expect(sanctionEnd("10 minutes", now)).toBe("2026-11-21T12:10:00.000Z");
  expect(sanctionEnd("1 week", now)).toBe("2026-11-28T12:00:00.000Z");
  expect(sanctionEnd("Forever", now)).toBe("infinity");
});

test("only a silence and a ban last, a ban for a day at least", () => {
  const lasting = SANCTIONS.filter((kind) => lengthsOf(kind).length > 0);
  expect(lasting).toEqual(["silence", "ban"]);
  expect(lengthsOf("silence")).toEqual(["10 minutes", "1 hour", "1 day", "1 week", "Forever"]);
  expect(lengthsOf("ban")).toEqual(["1 day", "1 week", "30 days", "Forever"]);
});

test("a code that this release does not know reads as other", () => {
  expect(wordsOfCode("new")).toBe(wordsOfCode("other"));
});
