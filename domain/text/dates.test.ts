import { expect, test, vi } from "vitest";
import { formatAge } from "./age.ts";
import {
  formatDate,
  formatDateTime,
  formatDayNear,
  formatMonth,
  formatMonthDay,
  medianDay,
  READERS_ZONE,
} from "./dates.ts";

const moment = "2026-11-21T10:43:07.123456+00:00";

test("dates are en-US and of the given zone", () => {
  expect(formatDate(moment, "UTC")).toBe("Nov 21, 2026");
  expect(formatDateTime(moment, "UTC")).toBe("Nov 21, 2026, 10:43 AM");
  expect(formatDate("2026-11-21T13:00:00Z", "Pacific/Auckland")).toBe("Nov 22, 2026");
  expect(formatMonth(moment)).toBe("Nov 2026");
  expect(formatMonthDay(moment)).toBe("Nov 21");
});

test("a device that knows no time zone shows dates too", () => {
  vi.stubEnv("TZ", "");
  expect(formatDateTime(moment, READERS_ZONE)).toBe("Nov 21, 2026, 10:43 AM");
  vi.unstubAllEnvs();
});

test("a day beside a figure is of this year, or a month with its year", () => {
  expect(formatDayNear("2026-08-11", Date.parse(moment))).toBe("Aug 11");
  expect(formatDayNear("2025-12-31", Date.parse(moment))).toBe("Dec 2025");
});

test("what is no date shows as nothing", () => {
  expect(formatDate("soon", "UTC")).toBe("");
  expect(formatAge("soon", Date.now())).toBe("");
});

test.each([
  ["2026-11-21T00:00:00Z", "today"],
  ["2026-11-22T00:00:00Z", "today"],
  ["2026-11-20T23:59:59Z", "yesterday"],
  ["2026-11-19T12:00:00Z", "2 days ago"],
  ["2026-11-08T12:00:00Z", "13 days ago"],
  ["2026-11-07T12:00:00Z", "2 weeks ago"],
  ["2026-10-23T12:00:00Z", "4 weeks ago"],
  ["2026-10-22T12:00:00Z", "1 month ago"],
  ["2026-08-17T00:00:00Z", "3 months ago"],
  ["2025-11-22T00:00:00Z", "11 months ago"],
  ["2025-11-21T00:00:00Z", "1 year ago"],
  ["2024-11-21T00:00:00Z", "2 years ago"],
])("%s was %s", (date, age) => {
  expect(formatAge(date, Date.parse("2026-11-21T00:00:01Z"))).toBe(age);
});

test("the median of some days is the one in the middle, the later of two", () => {
  expect(medianDay([])).toBeNull();
  expect(medianDay(["2026-08-18", "2026-01-01", "2026-08-17"])).toBe("2026-08-17");
  expect(medianDay(["2026-08-18", "2026-08-17"])).toBe("2026-08-18");
});
