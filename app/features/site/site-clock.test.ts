import { afterEach, expect, test, vi } from "vitest";
import { siteNow, withSiteClock } from "./site-clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

const HOUR = 3_600_000;

/** The site's time after a response with this Date header, or without one. */
async function siteTimeAfter(date: number | null): Promise<number> {
  const headers: HeadersInit = date === null ? {} : { date: new Date(date).toUTCString() };
  await withSiteClock(async () => new Response("", { headers }))("/rest/v1/items");
  return siteNow();
}

test.each([5 * HOUR, -5 * HOUR, 8_760 * HOUR])(
  "a clock %i ms off is corrected by the response's date",
  async (off) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
    expect(await siteTimeAfter(Date.now() - off)).toBe(Date.now() - off);
  },
);

test("transit time, and responses without a date, change nothing", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  expect(await siteTimeAfter(Date.now() - 9_000)).toBe(Date.now());
  expect(await siteTimeAfter(null)).toBe(Date.now());
});
