import { expect, test } from "vitest";
import { formatDay, formatTime } from "./chat-time.ts";

test("a time is the reader's own, in twelve hours", () => {
  expect(formatTime("2026-11-21T10:43:59.999999Z", "UTC")).toBe("10:43 AM");
  expect(formatTime("2026-11-21T10:43:00Z", "Pacific/Auckland")).toBe("11:43 PM");
});

const now = Date.parse("2026-11-21T12:00:00Z");

test.each([
  ["2026-11-21T00:00:00Z", "UTC", "Today"],
  ["2026-11-20T23:59:59Z", "UTC", "Yesterday"],
  ["2026-11-19T23:59:59Z", "UTC", "Nov 19, 2026"],
  ["2026-11-21T10:59:59Z", "Pacific/Auckland", "Yesterday"],
  ["2026-11-21T11:00:00Z", "Pacific/Auckland", "Today"],
])("%s in %s is %s", (date, zone, day) => expect(formatDay(date, now, zone)).toBe(day));

test("the day before a change of the clocks is yesterday, at any hour", () => {
  const zone = "Europe/Berlin";
  // In that time zone, 29 March 2026 has 23 hours and 25 October 2026 has 25.
  expect(formatDay("2026-03-28T12:00:00Z", Date.parse("2026-03-29T21:30:00Z"), zone)).toBe("Yesterday");
  expect(formatDay("2026-03-29T12:00:00Z", Date.parse("2026-03-30T22:30:00Z"), zone)).toBe("Mar 29, 2026");
  expect(formatDay("2026-10-24T12:00:00Z", Date.parse("2026-10-25T22:30:00Z"), zone)).toBe("Yesterday");
  expect(formatDay("2026-10-25T12:00:00Z", Date.parse("2026-10-25T22:45:00Z"), zone)).toBe("Today");
});
