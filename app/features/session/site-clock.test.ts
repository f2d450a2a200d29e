import { afterEach, expect, test, vi } from "vitest";
import { siteNow, withSiteClock } from "./site-clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

const HOUR = 3_600_000;

/** What time it is at the site after an answer that names this time, or none. */
async function siteTimeAfter(date: number | null): Promise<number> {
  const headers: HeadersInit = date === null ? {} : { date: new Date(date).toUTCString() };
  await withSiteClock(async () => new Response("", { headers }))("/rest/v1/items");
  return siteNow();
}

test.each([5 * HOUR, -5 * HOUR, 8_760 * HOUR])("a clock %i ms off tells the site's time", async (off) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  expect(await siteTimeAfter(Date.now() - off)).toBe(Date.now() - off);
});

test("what an answer took on its way, and one that names no time, change nothing", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  expect(await siteTimeAfter(Date.now() - 9_000)).toBe(Date.now());
  expect(await siteTimeAfter(null)).toBe(Date.now());
});
