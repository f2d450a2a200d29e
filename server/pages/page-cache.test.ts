import { expect, test, vi } from "vitest";
import { prepareContent } from "../http/prepared-content.ts";
import { createPageCache, type Rendered } from "./page-cache.ts";
import { TooBusyError } from "./render-queue.ts";

const page = (text: string): Rendered => ({
  kind: "content",
  content: prepareContent({ identity: Buffer.from(text), headers: {}, encode: () => null }),
});
const answer = (status: number): Rendered => ({ kind: "once", status, headers: [], body: Buffer.alloc(0) });
const textOf = (rendered: Rendered) =>
  rendered.kind === "content" ? rendered.content.identity.toString() : rendered.status;

/** A cache whose renders finish when the test says so. */
function slowCache() {
  const finish: ((rendered: Rendered) => void)[] = [];
  const cache = createPageCache({ render: () => new Promise((resolve) => finish.push(resolve)) });
  cache.setLive(true);
  return { cache, finish };
}

test("a not-found page and a failure are not kept", async () => {
  const render = vi.fn(async (key: string) => answer(key === "/nope" ? 404 : 503));
  const cache = createPageCache({ render });
  cache.setLive(true);
  for (const key of ["/nope", "/nope", "/down", "/down"]) await cache.get(key, "somebody");
  expect(render).toHaveBeenCalledTimes(4);
  expect(cache.use().bytes).toBe(0);
});

test("a thousand who ask for a page at once get one render", async () => {
  const { cache, finish } = slowCache();
  const asked = Array.from({ length: 1_000 }, () => cache.get("/values", "somebody"));
  finish[0]?.(page("values"));
  expect(new Set((await Promise.all(asked)).map(textOf))).toEqual(new Set(["values"]));
  expect(finish).toHaveLength(1);
  expect(textOf(await cache.get("/values", "somebody"))).toBe("values");
  expect(finish).toHaveLength(1);
});

test("a render that began before a change is neither kept nor shared with who asks after the change", async () => {
  const { cache, finish } = slowCache();
  const before = cache.get("/values", "somebody");
  cache.invalidate();
  const after = cache.get("/values", "somebody");
  finish[0]?.(page("old"));
  expect(textOf(await before)).toBe("old");
  expect(cache.find("/values")).toBeNull();
  finish[1]?.(page("new"));
  expect(textOf(await after)).toBe("new");
  expect(cache.find("/values")?.identity.toString()).toBe("new");
});

test("a change of traders leaves the catalogue's pages as they are, and the other way round", async () => {
  const render = vi.fn(async (key: string) => page(key));
  const cache = createPageCache({ render });
  cache.setLive(true);
  const kept = async () => {
    for (const key of ["/values", "/community", "/community.data?page=2", "/community/Otter"])
      await cache.get(key, "somebody");
    return render.mock.calls.splice(0).map(([key]) => key);
  };
  await kept();
  cache.invalidate("community");
  expect(await kept()).toEqual(["/community", "/community.data?page=2", "/community/Otter"]);
  cache.invalidate("catalogue");
  expect(await kept()).toEqual(["/values"]);
  cache.invalidate();
  expect(await kept()).toHaveLength(4);
});

test("a render that waits for its turn shows every change until then, so who asks after a change shares it", async () => {
  const begin: (() => void)[] = [];
  const render = vi.fn(async () => page("new"));
  const cache = createPageCache({
    render,
    admit: (_, task) => new Promise((resolve) => begin.push(() => resolve(task()))),
  });
  cache.setLive(true);
  const before = cache.get("/values", "somebody");
  cache.invalidate();
  const after = cache.get("/values", "somebody else");
  begin.forEach((each) => void each());
  expect([textOf(await before), textOf(await after)]).toEqual(["new", "new"]);
  expect(render).toHaveBeenCalledTimes(1);
  expect(cache.find("/values")?.identity.toString()).toBe("new");
});

test("where there is no room to render, a page that was kept serves on for a moment, and any other is refused", async () => {
  const askers: string[] = [];
  let full = false;
  const cache = createPageCache({
    render: async (key) => page(key),
    admit: async (who, task) => {
      askers.push(who);
      if (full) throw new TooBusyError(503);
      return task();
    },
  });
  cache.setLive(true);
  await cache.get("/values", "flooder");
  full = true;
  cache.invalidate();
  expect(textOf(await cache.get("/values", "flooder"))).toBe("/values");
  expect(cache.find("/values")).not.toBeNull();
  await expect(cache.get("/values?q=1", "flooder")).rejects.toMatchObject({ status: 503 });
  // Renders of pages cached before are queued under the empty key, not under the client's.
  expect(askers).toEqual(["flooder", "", "flooder"]);
});

test("an old render that ends after a newer one does not take its place", async () => {
  const { cache, finish } = slowCache();
  const before = cache.get("/values", "somebody");
  cache.invalidate();
  const after = cache.get("/values", "somebody");
  finish[1]?.(page("new"));
  await after;
  finish[0]?.(page("old"));
  await before;
  expect(cache.find("/values")?.identity.toString()).toBe("new");
});

test("the last good page serves on while rendering fails, and goes when the page is gone", async () => {
  const answers = [page("good"), answer(503), answer(404)];
  const cache = createPageCache({ render: async () => answers.shift() as Rendered });
  cache.setLive(true);
  await cache.get("/values", "somebody");
  cache.invalidate();
  expect(textOf(await cache.get("/values", "somebody"))).toBe("good");
  cache.invalidate();
  expect(textOf(await cache.get("/values", "somebody"))).toBe(404);
  expect(cache.find("/values")).toBeNull();
  expect(cache.use().bytes).toBe(0);
});

test("without change notifications a page is fresh for a second", async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) });
  const render = vi.fn(async () => page("values"));
  const cache = createPageCache({ render });
  await cache.get("/values", "somebody");
  vi.advanceTimersByTime(999);
  expect(cache.find("/values")).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(cache.find("/values")).toBeNull();
  vi.useRealTimers();
});

test("a page that was rendered without some of its data is fresh for a second, whatever is notified", async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) });
  const cache = createPageCache({ render: async () => ({ ...page("half"), failed: true }) as Rendered });
  cache.setLive(true);
  await cache.get("/values", "somebody");
  vi.advanceTimersByTime(999);
  expect(cache.find("/values")).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(cache.find("/values")).toBeNull();
  vi.useRealTimers();
});

test("nor is it for longer where the system's clock is set back", async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) });
  const cache = createPageCache({ render: async () => page("values") });
  await cache.get("/values", "somebody");
  vi.setSystemTime(Date.UTC(2026, 10, 21, 11));
  vi.advanceTimersByTime(1_000);
  expect(cache.find("/values")).toBeNull();
  vi.useRealTimers();
});

test("no page lives past midnight in UTC, since it names the year and how many days ago it was checked", async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 11, 31, 23, 59, 59) });
  const cache = createPageCache({ render: async () => page("2026") });
  cache.setLive(true);
  await cache.get("/", "somebody");
  expect(cache.find("/")).not.toBeNull();
  vi.advanceTimersByTime(1_000);
  expect(cache.find("/")).toBeNull();
  vi.useRealTimers();
});

test("the cache stays within its bytes and gives up what nobody asked for again first", async () => {
  const cache = createPageCache({ render: async () => page("x".repeat(100)), maxBytes: 1_000 });
  cache.setLive(true);
  await cache.get("/hot", "somebody");
  await cache.get("/cold", "somebody");
  cache.find("/hot");
  await cache.get("/third", "somebody");
  await cache.get("/fourth", "somebody");
  expect(cache.use().bytes).toBeLessThanOrEqual(1_000);
  expect(cache.find("/cold")).toBeNull();
  expect(cache.find("/hot")).not.toBeNull();
});
