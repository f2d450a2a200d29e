import { readFileSync } from "node:fs";
import * as v from "valibot";
import { expect, test } from "vitest";
import { REPORT_CODES, REPORT_KINDS, wordsOfCode } from "./report-code.ts";
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

test("codes and kinds are the database's", () => {
  const schema = (file: string) =>
    readFileSync(new URL(`../../supabase/schemas/moderation/${file}`, import.meta.url), "utf8");
  const listed = (sql: string, before: RegExp) =>
    [...(new RegExp(`${before.source}\\s+in \\(([^)]*)\\)`).exec(sql)?.[1] ?? "").matchAll(/'(\w+)'/g)].map(
      ([, word]) => word,
    );
  expect(listed(schema("reports.sql"), /select code/).sort()).toEqual([...REPORT_CODES].sort());
  expect(listed(schema("reports.sql"), /kind/)).toEqual([...Object.keys(REPORT_KINDS), "refusals"]);
  expect(listed(schema("sanctions.sql"), /kind/)).toEqual([...SANCTIONS]);
  expect(wordsOfCode("new")).toBe(wordsOfCode("other"));
});
