import { expect, test } from "vitest";
import { isoTime } from "./iso-time.ts";

test.each([
  ["2026-11-21 10:43:00+00", "2026-11-21T10:43:00.000Z"],
  ["2026-11-21 10:43:00.5+00", "2026-11-21T10:43:00.500Z"],
  ["2026-11-21 10:43:00.123987+00", "2026-11-21T10:43:00.123Z"],
  ["2026-11-21 10:43:00.123987", "2026-11-21T10:43:00.123Z"],
  ["2026-11-21 10:43:00.123987+05:30", "2026-11-21T05:13:00.123Z"],
  ["2026-11-21 23:43:00.12-03", "2026-11-22T02:43:00.120Z"],
])("%s is %s", (text, iso) => {
  expect(isoTime(text)).toBe(iso);
});

test("a missing time stays missing", () => {
  expect([isoTime(null), isoTime(undefined)]).toEqual([null, null]);
});
