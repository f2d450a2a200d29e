import { expect, test } from "vitest";
import { createByteCache, sizeOfText } from "./byte-cache.ts";

const keep = (maxBytes: number) => createByteCache<string>({ maxBytes, sizeOf: sizeOfText });

test("stays within its bytes, however many and long the entries are", () => {
  const cache = keep(100_000);
  for (let i = 0; i < 10_000; i++) cache.set(`${"k".repeat(i % 500)}${i}`, "v".repeat(i % 700));
  expect(cache.calculatedSize).toBeLessThanOrEqual(100_000);
  expect(cache.get(`${"k".repeat(499)}9999`)).toBe("v".repeat(9_999 % 700));
  cache.set("all of it", "v".repeat(100_000));
  expect(cache.get("all of it")).toBeUndefined();
});

test("the least recently used is evicted first, and peeking does not count as use", () => {
  const cache = keep(350);
  cache.set("a", "1");
  cache.set("b", "2");
  cache.set("c", "3");
  cache.get("a");
  cache.peek("b");
  cache.set("d", "4");
  expect(["a", "b", "c", "d"].map((key) => cache.peek(key))).toEqual(["1", undefined, "3", "4"]);
});

test("a cache without a limit in bytes does not compile", () => {
  // @ts-expect-error: without `maxBytes`
  const unlimited = () => createByteCache<string>({ sizeOf: sizeOfText });
  // @ts-expect-error: without `sizeOf`
  const unmeasured = () => createByteCache<string>({ maxBytes: 1 });
  expect([unlimited, unmeasured]).toHaveLength(2);
});
