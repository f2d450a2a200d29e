import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Database, DatabaseUnavailableError } from "#backend/postgres/database.ts";
import { followRevocations } from "./revocation-feed.ts";

const HOUR = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A feed whose database is up until `lose` is called, with the positions it was asked to read from. */
async function follow() {
  const asked: unknown[] = [];
  let isThere = true;
  const feed = await followRevocations({
    query: async (_: string, [since]: unknown[]) => {
      if (!isThere) throw new DatabaseUnavailableError("connection", new Error("gone"));
      asked.push(since);
      return [{ subject: null, until: null, seen: "7" }];
    },
    listen: async () => ({ close: async () => {} }),
    close: async () => {},
  } as Partial<Database> as Database);
  const lose = async () => {
    isThere = false;
    await vi.advanceTimersByTimeAsync(2_000);
  };
  return { ...feed, asked, lose };
}

test("a table that cannot be read for three seconds counts as lost, however the system clock is set meanwhile", async () => {
  const feed = await follow();
  await feed.lose();
  expect([feed.isCurrent(), feed.isLost()]).toEqual([false, false]);
  vi.setSystemTime(Date.now() + HOUR);
  expect(feed.isLost()).toBe(false);
  vi.setSystemTime(Date.now() - 3 * HOUR);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(feed.isLost()).toBe(true);
  await feed.close();
});

test("the whole table is read at first and every hour, however the system clock is set meanwhile", async () => {
  const feed = await follow();
  expect(feed.asked).toEqual(["0"]);
  vi.setSystemTime(Date.now() - 3 * HOUR);
  await vi.advanceTimersByTimeAsync(HOUR - 2_000);
  expect(new Set(feed.asked.splice(0).slice(1))).toEqual(new Set(["7"]));
  await vi.advanceTimersByTimeAsync(6_000);
  expect(feed.asked).toContain("0");
  await feed.close();
});
