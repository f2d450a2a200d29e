import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { animation, bomb, picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { isTooLarge, pixelLimit } from "./pixel-limit.ts";

let testServer: StorageTestServer;
const CACHE_BYTES = 20_000;

beforeAll(async () => {
  testServer = await openStorage({
    addressHeader: "x-real-ip",
    images: { workers: 1, waiting: 2, maxPixels: 50_000_000, cacheBytes: CACHE_BYTES },
  });
  await testServer.query("insert into storage.buckets (id, name, public) values ('open', 'open', true)");
  const files = testServer.as("server").from("open");
  await files.upload("photo.png", await picture("png", 400, 200), { contentType: "image/png" });
  await files.upload("moving.gif", await animation(), { contentType: "image/gif" });
  await files.upload("bomb.png", bomb(30_000, 30_000), { contentType: "image/png" });
  await files.upload("drawing.png", "<svg xmlns='http://www.w3.org/2000/svg'/>", {
    contentType: "image/png",
  });
  const dark = { create: { width: 200, height: 200, channels: 3 as const, background: "#141414" } };
  const light = await sharp({ create: { ...dark.create, background: "#dcdcdc" } })
    .png()
    .toBuffer();
  const halves = sharp(dark)
    .extend({ right: 200 })
    .composite([{ input: light, left: 200, top: 0 }]);
  await files.upload("halves.png", await halves.png().toBuffer(), { contentType: "image/png" });
  const damaged = await picture("png", 400, 200);
  // The checksum of the first chunk follows its data.
  const data = damaged.indexOf("IDAT");
  damaged.writeUInt32BE(0, data + 4 + damaged.readUInt32BE(data - 4));
  await files.upload("damaged.png", damaged, { contentType: "image/png" });
  await files.upload("unnamed", await picture("png", 400, 200), { contentType: "application/octet-stream" });
  await files.upload("empty.png", "", { contentType: "image/png" });
  await files.upload("note.txt", "words", { contentType: "text/plain" });
});
afterAll(() => testServer.close());

async function render(query: string, { name = "photo.png", accept = "*/*", headers = {} } = {}) {
  const answer = await fetch(`${testServer.url}/storage/v1/render/image/public/open/${name}?${query}`, {
    headers: { accept, ...headers },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { answer, bytes, type: answer.headers.get("content-type") };
}

test.each([
  ["256 MB", 0.25, 1, 8],
  ["512 MB", 0.5, 1, 17],
  ["1 GB", 1, 1, 35],
  ["2 GB and four cores", 2, 3, 23],
  ["8 GB and eight cores", 8, 4, 50],
])("with %s, a picture may have as many megapixels as fit", (_, gib, atOnce, megapixels) => {
  expect(Math.floor(pixelLimit(gib * 1024 ** 3, atOnce) / 1_000_000)).toBe(megapixels);
});

test("an AVIF picture may have fewer pixels, as it takes more memory", () => {
  const refused = (["jpeg", "heif"] as const).filter((format) =>
    isTooLarge({ format, width: 7_000, height: 5_000 }, 50_000_000),
  );
  expect(refused).toEqual(["heif"]);
});

async function sizeOf(bytes: Buffer) {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
}

test.each([
  ["width=20&height=10&quality=60", "height:10,width:20,resizing_type:fill,quality:60"],
  ["width=20&resize=contain&format=webp", "width:20,resizing_type:fit,format:webp"],
  ["height=10&resize=fill&format=origin", "height:10,resizing_type:force"],
  ["width=9&gravity=fp&x_offset=0&y_offset=1", "width:9,resizing_type:fill,gravity:fp:0:1"],
  ["width=9&gravity=sm&x_offset=3", "width:9,resizing_type:fill,gravity:sm"],
  ["quality=50", "quality:50"],
  ["", null],
])("a rendering reports its transformation: %s", async (query, reported) => {
  expect((await render(query)).answer.headers.get("x-transformations")).toBe(reported);
});

describe("refused", () => {
  test.each(["width=0", "width=2501", "height=1.5", "width=", "resize=stretch", "quality=10", "format=bmp"])(
    "%s",
    async (query) => {
      const { answer, bytes } = await render(query);
      expect(answer.status).toBe(400);
      expect(JSON.parse(String(bytes))).toMatchObject({ statusCode: "400", code: "InvalidRequest" });
    },
  );

  test.each([
    ["note.txt", { statusCode: "400" }],
    [
      "drawing.png",
      { statusCode: "400", message: "The source image is invalid or unsupported for rendering" },
    ],
    ["empty.png", { statusCode: "400", message: "The source image is invalid or unsupported for rendering" }],
    ["bomb.png", { statusCode: "413" }],
    ["none.png", { statusCode: "404" }],
  ])("%s", async (name, refusal) => {
    const { bytes } = await render("width=10", { name });
    expect(JSON.parse(String(bytes))).toMatchObject(refusal);
  });

  test("a private picture, to other users and in shared caches", async () => {
    const own = await testServer.request("GET", "/render/image/authenticated/open/photo.png?width=9", {
      as: "server",
    });
    expect(own.headers.get("vary")).toBe("Accept, Authorization, apikey");
  });

  test("more requests than the queue holds", async () => {
    const asked = Array.from({ length: 8 }, (_, index) =>
      render(`width=${300 + index}`, { accept: "image/avif" }),
    );
    const statuses = (await Promise.all(asked)).map(({ answer }) => answer.status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  test("the same from one IPv6 network, however many addresses it uses", async () => {
    const asked = Array.from({ length: 8 }, (_, index) =>
      render(`width=${400 + index}`, {
        accept: "image/avif",
        headers: { "x-real-ip": `2001:db8:0:1::${index + 1}` },
      }),
    );
    const statuses = (await Promise.all(asked)).map(({ answer }) => answer.status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});

test.each([
  ["width=100", [100, 50]],
  ["height=50", [100, 50]],
  ["width=100&height=100", [100, 100]],
  ["width=100&height=100&resize=cover", [100, 100]],
  ["width=100&height=100&resize=contain", [100, 50]],
  ["width=100&height=20&resize=fill", [100, 20]],
  ["width=2000", [400, 200]],
  ["quality=40", [400, 200]],
])("%s", async (query, size) => {
  const { bytes, type } = await render(query);
  expect([type, await sizeOf(bytes)]).toEqual(["image/png", size]);
});

test("a picture is recognized by its bytes, whatever its declared type", async () => {
  const { bytes, type } = await render("width=100", { name: "unnamed" });
  expect([type, await sizeOf(bytes)]).toEqual(["image/png", [100, 50]]);
});

test("the browser gets its best format, the original's on request, and animations stay animated", async () => {
  const browser = "image/avif,image/webp,image/*,*/*;q=0.8";
  expect((await render("width=50", { accept: browser })).type).toBe("image/avif");
  expect((await render("width=50", { accept: "image/webp" })).type).toBe("image/webp");
  expect((await render("width=50&format=origin", { accept: browser })).type).toBe("image/png");
  const moving = await render("width=20", { name: "moving.gif", accept: browser });
  expect([moving.type, (await sharp(moving.bytes).metadata()).pages]).toEqual(["image/webp", 2]);
  const origin = await render("width=20&format=origin", { name: "moving.gif", accept: browser });
  expect([origin.type, (await sharp(origin.bytes).metadata()).pages]).toEqual(["image/gif", 2]);
});

test("an explicitly requested format wins over what the browser accepts", async () => {
  const webp = await render("width=50&format=webp", { accept: "image/avif" });
  expect([webp.type, webp.answer.headers.get("vary")]).toEqual(["image/webp", null]);
  expect((await render("width=50&format=avif")).type).toBe("image/avif");
  const still = await render("width=20&format=avif", { name: "moving.gif" });
  expect([still.type, await sizeOf(still.bytes)]).toEqual(["image/avif", [20, 15]]);
});

// The picture is dark on the left and light on the right.
test.each([
  ["gravity=we", "dark"],
  ["gravity=ea", "light"],
  ["gravity=we&x_offset=0.5", "light"],
  ["gravity=ea&x_offset=200", "dark"],
  ["gravity=ce&x_offset=-100", "dark"],
  ["gravity=fp&x_offset=0.9&y_offset=0.5", "light"],
  ["gravity=nowe", "dark"],
])("%s keeps the %s half", async (query, half) => {
  const { bytes } = await render(`width=100&height=100&${query}&format=origin`, { name: "halves.png" });
  expect(await sizeOf(bytes)).toEqual([100, 100]);
  const { channels } = await sharp(bytes).stats();
  expect(channels[0]?.mean).toBeCloseTo(half === "dark" ? 20 : 220, -1);
});

test("a picture with wrong checksums is shown as far as it can be decoded", async () => {
  const { bytes, answer } = await render("width=100", { name: "damaged.png" });
  expect([answer.status, await sizeOf(bytes)]).toEqual([200, [100, 50]]);
});

test("a picture that the client already has is not sent again, and other renderings or contents have other ETags", async () => {
  const first = await render("width=60", { accept: "image/webp" });
  const etag = first.answer.headers.get("etag") ?? "";
  expect(first.answer.headers.get("vary")).toBe("Accept");
  expect(first.answer.headers.get("cache-control")).toBe("max-age=3600");
  expect(first.answer.headers.get("content-security-policy")).toContain("sandbox");
  const again = await render("width=60", { accept: "image/webp", headers: { "if-none-match": etag } });
  expect([again.answer.status, again.bytes.length]).toEqual([304, 0]);
  const others = [await render("width=61", { accept: "image/webp" }), await render("width=60")];
  for (const other of others) expect(other.answer.headers.get("etag")).not.toBe(etag);
  const files = testServer.as("server").from("open");
  await files.update("photo.png", await picture("png", 200, 200), { contentType: "image/png" });
  const changed = await render("width=60", { accept: "image/webp", headers: { "if-none-match": etag } });
  expect([changed.answer.status, await sizeOf(changed.bytes)]).toEqual([200, [60, 60]]);
});

test("rendered pictures are cached up to the size limit, and removed with their original", async () => {
  const folder = join(testServer.folder, "rendered");
  for (let width = 100; width < 130; width++) await render(`width=${width}`);
  const kept = await readdir(folder);
  expect(kept.length).toBeGreaterThan(0);
  const sizes = await Promise.all(kept.map(async (name) => (await stat(join(folder, name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(CACHE_BYTES);
  await testServer
    .as("server")
    .from("open")
    .remove(["photo.png", "moving.gif", "unnamed", "halves.png", "damaged.png"]);
  await expect.poll(() => readdir(folder)).toEqual([]);
});
