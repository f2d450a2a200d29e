import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sharedBrowser } from "#tests/helpers/browser.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
const address = (name: string) => `${testServer.url}/storage/v1/object/public/open/${name}`;
const get = (name: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(address(name), { method, headers });

/** Types that a page of the same host could load as a script, a style or a module. */
const ACTIVE = [
  "text/javascript",
  "TEXT/JavaScript ; charset=utf-8",
  "application/javascript",
  "application/x-javascript",
  "application/ecmascript",
  "text/ecmascript",
  "text/jscript",
  "text/livescript",
  "text/javascript1.5",
  "text/css",
  "application/wasm",
];
const RUNS = "globalThis.ran = true; /*";
const DRESSES = "*/ body { color: rgb(1, 2, 3) }";

beforeAll(async () => {
  testServer = await openStorage();
  await testServer.query("insert into storage.buckets (id, name, public) values ('open', 'open', true)");
  const files = testServer.as("server").from("open");
  await files.upload("ten.txt", "0123456789", { contentType: "text/plain", cacheControl: "60" });
  for (const [name, contentType] of Object.entries({
    "page.html": "text/html; charset=utf-8",
    "drawing.svg": "image/svg+xml",
    "feed.xml": "application/xml",
    "paper.pdf": "application/pdf",
    "photo.png": "image/png",
    "clip.mp4": "video/mp4; codecs=avc1",
    "app.webmanifest": "application/manifest+json",
    "page.xhtml": "application/xhtml+xml",
    "new.type": "application/not-yet-known",
    ...Object.fromEntries(ACTIVE.map((type, index) => [`active-${index}`, type])),
  })) {
    const drawing = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    const content = name.startsWith("active") ? RUNS + DRESSES : drawing;
    await files.upload(name, content, { contentType });
  }
});
afterAll(() => testServer.close());

describe("uploaded content never runs on this host", () => {
  test.each([
    ["page.html", "text/plain; charset=utf-8", null],
    ["drawing.svg", "image/svg+xml", "attachment"],
    ["feed.xml", "application/xml", "attachment"],
    ["paper.pdf", "application/pdf", "attachment"],
    ["photo.png", "image/png", null],
    ["clip.mp4", "video/mp4; codecs=avc1", null],
    ["app.webmanifest", "application/octet-stream", "attachment"],
    ["page.xhtml", "application/octet-stream", "attachment"],
    ["new.type", "application/octet-stream", "attachment"],
  ])("%s", async (name, type, disposition) => {
    const { headers } = await get(name);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*; sandbox; frame-ancestors 'none'$/,
    );
    expect(headers.get("x-robots-tag")).toBe("none");
    expect(headers.get("content-disposition")?.split(";")[0] ?? null).toBe(disposition);
  });
});

describe("a range", () => {
  test.each([
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=8-99", 206, "89", "bytes 8-9/10"],
    ["bytes=5-2", 200, "0123456789", null],
    ["bytes=0-1,4-5", 200, "0123456789", null],
    ["items=0-1", 200, "0123456789", null],
  ])("%s", async (range, status, text, contentRange) => {
    const answer = await get("ten.txt", { range });
    expect([answer.status, await answer.text(), answer.headers.get("content-range")]).toEqual([
      status,
      text,
      contentRange,
    ]);
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
  });

  test("past the end is refused with the length", async () => {
    const answer = await get("ten.txt", { range: "bytes=10-" });
    expect(answer.status).toBe(416);
    expect(await answer.json()).toMatchObject({ statusCode: "416", code: "InvalidRange" });
    expect(answer.headers.get("content-range")).toBe("bytes */10");
  });

  test("of another version returns the whole object", async () => {
    const { headers } = await get("ten.txt", {}, "HEAD");
    const fresh = await get("ten.txt", { range: "bytes=0-0", "if-range": headers.get("etag") ?? "" });
    const stale = await get("ten.txt", { range: "bytes=0-0", "if-range": '"other"' });
    expect([fresh.status, stale.status]).toEqual([206, 200]);
  });
});

describe("conditions", () => {
  test("content that the client already has is not sent again", async () => {
    const first = await get("ten.txt");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\da-f]{32}"$/);
    const again = await get("ten.txt", { "if-none-match": `"other", W/${etag}` });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect(again.headers.get("cache-control")).toBe("max-age=60");
    expect((await get("ten.txt", { "if-none-match": '"other"' })).status).toBe(200);
    const modified = first.headers.get("last-modified") ?? "";
    expect((await get("ten.txt", { "if-modified-since": modified })).status).toBe(304);
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    expect((await get("ten.txt", { "if-modified-since": earlier })).status).toBe(200);
    expect((await get("ten.txt", { "if-match": '"other"' })).status).toBe(412);
  });

  test("HEAD returns everything but the bytes", async () => {
    const { status, headers } = await get("ten.txt", {}, "HEAD");
    expect([status, headers.get("content-length"), headers.get("content-type")]).toEqual([
      200,
      "10",
      "text/plain",
    ]);
  });
});

test("a download has the object's name or a chosen one, in any alphabet, and the caller cannot inject headers", async () => {
  const named = async (query: string) => (await get(`ten.txt?${query}`)).headers.get("content-disposition");
  expect(await named("download")).toBe(`attachment; filename="ten.txt"; filename*=UTF-8''ten.txt`);
  expect(await named(`download=${encodeURIComponent("Обезьяна 1.txt")}`)).toBe(
    `attachment; filename="________ 1.txt"; filename*=UTF-8''${encodeURIComponent("Обезьяна 1.txt")}`,
  );
  expect(await named(`download=${encodeURIComponent('a"\r\nset-cookie: x')}`)).not.toMatch(/[\r\n]/);
});

test("private objects are cached separately per caller", async () => {
  for (const path of ["/object/open/ten.txt", "/object/authenticated/open/ten.txt"]) {
    const answer = await testServer.request("GET", path, { as: "server" });
    expect(answer.headers.get("vary")).toBe("Authorization, apikey");
  }
  expect((await get("ten.txt")).headers.get("vary")).toBe(null);
});

test("a large body is never held in memory, in either direction", async () => {
  const size = 40_000_000;
  const chunk = Buffer.alloc(100_000, 7);
  const before = heldBuffers();
  const held: number[] = [];
  let left = size / chunk.length;
  const body = new ReadableStream({
    pull(controller) {
      if (left === 20) held.push(heldBuffers());
      if (left-- > 0) controller.enqueue(chunk);
      else controller.close();
    },
  });
  const uploaded = await testServer.request("POST", "/object/open/large.bin", {
    as: "server",
    body,
    headers: { "content-type": "application/octet-stream" },
  });
  expect(uploaded.status).toBe(200);
  let received = 0;
  for await (const part of (await get("large.bin")).body as AsyncIterable<Uint8Array>) {
    received += part.byteLength;
    if (received > size / 2 && held.length === 1) held.push(heldBuffers());
  }
  expect(received).toBe(size);
  for (const most of held) expect(most - before).toBeLessThan(size / 2);
  expect(held).toHaveLength(2);
});

// Last, because a browser holds buffers in this process.
test("a page of this host cannot load a script, style, module, worker or WebAssembly from storage", async () => {
  const page = await (await sharedBrowser()).newPage();
  onTestFinished(() => page.close());
  await page.route(`${testServer.url}/site`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><body>" }),
  );
  await page.goto(`${testServer.url}/site`);
  for (const [index, type] of ACTIVE.entries()) {
    const results = await page.evaluate(
      async (source) => {
        const load = (element: HTMLElement) =>
          new Promise((resolve) => {
            element.onload = () => resolve("loaded");
            element.onerror = () => resolve("refused");
            document.head.append(element);
          });
        const isRefused = (work: () => Promise<unknown>) =>
          work().then(
            () => "loaded",
            () => "refused",
          );
        const make = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, properties: object) =>
          Object.assign(document.createElement(tag), properties);
        return [
          await load(make("script", { src: source })),
          await load(make("script", { src: source, type: "module" })),
          await load(make("link", { href: source, rel: "stylesheet" })),
          await isRefused(() => navigator.serviceWorker.register(source)),
          await isRefused(() => WebAssembly.compileStreaming(fetch(source))),
        ];
      },
      address(`active-${index}`),
    );
    expect(results, type).toEqual(Array(5).fill("refused"));
  }
  const done = await page.evaluate(() => [
    (globalThis as { ran?: boolean }).ran ?? false,
    getComputedStyle(document.body).color,
  ]);
  expect(done).toEqual([false, "rgb(0, 0, 0)"]);
});

/** Bytes of the buffers still in use by this process, which is both client and server. */
function heldBuffers(): number {
  setFlagsFromString("--expose-gc");
  // Buffers found by one collection are freed as the next begins.
  for (let times = 0; times < 3; times++) runInNewContext("gc")();
  return process.memoryUsage().arrayBuffers;
}
