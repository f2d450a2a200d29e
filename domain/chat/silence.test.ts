import * as v from "valibot";
import { expect, test } from "vitest";
import { silenceEnd, silenceSchema } from "./silence.ts";

test.each([
  [{ length: "2 hours", reason: "x" }, "Choose how long"],
  [{ length: "1 hour", reason: " " }, "Reason is required"],
  [{ length: "1 hour", reason: "a".repeat(201) }, "Reason must be at most 200 characters"],
])("%j is refused", (typed, message) => {
  expect(v.safeParse(silenceSchema, typed).issues?.map((issue) => issue.message)).toEqual([message]);
});

test("a silence ends so long from now, or never", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  expect(silenceEnd("10 minutes", now)).toBe("2026-11-21T12:10:00.000Z");
  expect(silenceEnd("1 week", now)).toBe("2026-11-28T12:00:00.000Z");
  expect(silenceEnd("Forever", now)).toBe("infinity");
});
