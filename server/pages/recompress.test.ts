import { randomBytes } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import type { PreparedContent } from "../http/prepared-content.ts";
import { createRecompressor } from "./recompress.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("one page is compressed at a time, also while another one becomes popular", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const order: string[] = [];
  const page = (name: string, bytes: number) =>
    ({ identity: randomBytes(bytes), replace: () => void order.push(name) }) as Partial<PreparedContent>;
  const recompressor = createRecompressor();
  for (const each of [page("large", 500_000), page("small", 10)]) {
    recompressor.add(each as PreparedContent);
    vi.advanceTimersByTime(1_000);
  }
  await expect.poll(() => order, { timeout: 10_000 }).toEqual(["large", "small"]);
});
