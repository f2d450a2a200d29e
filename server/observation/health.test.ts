import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, expect, test, vi } from "vitest";
import { listen } from "#tests/helpers/listen.ts";
import { createSmallDisk } from "#tests/helpers/small-disk.ts";
import { createHealth } from "./health.ts";

const { folder, isMounted, remove } = createSmallDisk(48);
afterAll(remove);

test.skipIf(!isMounted)(
  "a disk without room for the next writes is reported, though reads go on, until there is room",
  async () => {
    const supabase = createClient("http://backend.internal", "key", {
      global: { fetch: async () => new Response("[]") },
    });
    const { url, close } = await listen(
      createServer(
        createHealth({ supabase, diskFailed: () => false, primaryAnswers: () => true, dataDir: folder }),
      ),
    );
    const probe = async (path = "/healthz") => {
      const answer = await fetch(url + path);
      return [answer.status, await answer.json()];
    };
    expect(await probe()).toEqual([200, { status: "ok" }]);
    writeFileSync(join(folder, "much"), Buffer.alloc(20 * 1024 * 1024));
    expect(await probe()).toEqual([503, { status: "no room on the disk" }]);
    expect(await probe("/readyz"), "visitors may read").toEqual([200, { status: "ok" }]);
    rmSync(join(folder, "much"));
    expect(await probe()).toEqual([200, { status: "ok" }]);
    await close();
  },
);

test("a backend that hangs is reported within half a second, and at once to whoever asks again", async () => {
  vi.useFakeTimers();
  const supabase = createClient("http://backend.internal", "key", {
    global: { fetch: () => new Promise<Response>(() => {}) },
  });
  const told: unknown[] = [];
  const response = {
    writeHead: (status: number) => ({ end: (body: string) => void told.push(status, JSON.parse(body)) }),
  };
  const health = createHealth({
    supabase,
    diskFailed: () => false,
    primaryAnswers: () => true,
    dataDir: null,
  });
  health({} as never, response as never);
  await vi.advanceTimersByTimeAsync(500);
  expect(told).toEqual([503, { status: "backend unavailable" }]);
  health({ url: "/livez" } as never, response as never);
  await vi.advanceTimersByTimeAsync(0);
  expect(told.splice(2), "no reason to restart").toEqual([200, { status: "ok" }]);
  // While that read still hangs, the next check fails at once.
  health({} as never, response as never);
  await vi.advanceTimersByTimeAsync(0);
  vi.useRealTimers();
  expect(told).toHaveLength(4);
});
