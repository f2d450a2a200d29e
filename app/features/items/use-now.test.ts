import { afterEach, expect, test, vi } from "vitest";
import { findAhead } from "./use-now.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ["on the day it was read", "2026-11-29T23:59:59Z", "2026-11-29T00:01:00Z", 0],
  ["just after the midnight before which it was sent", "2026-11-30T00:00:20Z", "2026-11-29T00:01:00Z", 0],
  ["on a device a day ahead", "2026-11-30T12:00:00Z", "2026-11-29T12:00:00Z", 24 * 3_600_000],
])("a page that runs %s tells how far the device is ahead", (_, now, readAt, ahead) => {
  vi.useFakeTimers({ now: new Date(now) });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  const visit = { transferSize: 300 } as PerformanceNavigationTiming;
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([visit]);
  expect(findAhead(Date.parse(readAt))).toBe(ahead);
});
