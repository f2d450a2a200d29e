import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { animation, bomb, picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
const pictures = () => testServer.as("server").from("pictures");

beforeAll(async () => {
  testServer = await openStorage();
  await testServer.query(
    `insert into storage.buckets (id, name, public, allowed_mime_types) values
       ('pictures', 'pictures', true, '{image/png,image/jpeg,image/gif,image/webp}'),
       ('anything', 'anything', false, null), ('words', 'words', false, '{text/*}')`,
  );
});
afterAll(() => testServer.close());

const svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
const html = "<!doctype html><script>alert(1)</script>";
/** A ZIP's end of central directory record, whose comment extends to the end of the file. */
const zip = Buffer.concat([Buffer.from("PK\x05\x06", "latin1"), Buffer.alloc(18)]);

describe("content that is not the declared picture type is refused and leaves nothing behind", () => {
  const impostors: [what: string, type: string, content: () => Promise<Buffer | string> | string][] = [
    ["a type that the bucket does not take", "image/svg+xml", () => svg],
    ["a drawing under a picture's name", "image/png", () => svg],
    ["a page", "image/png", () => html],
    ["a page behind a GIF's signature", "image/gif", () => `GIF89a/*${html}`],
    ["a picture of another kind", "image/png", () => picture("jpeg")],
    ["a picture that is cut off", "image/png", async () => (await picture("png")).subarray(0, -100)],
    [
      "a picture with a page behind it",
      "image/jpeg",
      async () => Buffer.concat([await picture("jpeg"), Buffer.from(html)]),
    ],
    ["a picture that is an archive too", "image/png", async () => Buffer.concat([await picture("png"), zip])],
    ["nothing at all", "image/png", () => ""],
  ];
  test.each(impostors)("%s", async (_what, contentType, content) => {
    const { error } = await pictures().upload("impostor.png", await content(), { contentType });
    expect(error).toMatchObject({ statusCode: "415", code: "InvalidMimeType" });
    expect(error?.message).toMatch(/^mime type .* is not supported$/);
    expect((await pictures().exists("impostor.png")).data).toBe(false);
    expect(await testServer.files()).toEqual([]);
  });

  test("a picture of 30,000 × 30,000 pixels, judged by its header alone", async () => {
    const content = bomb(30_000, 30_000);
    expect(content.length).toBeLessThan(500_000);
    const before = process.memoryUsage().rss;
    const { error } = await pictures().upload("bomb.png", content, { contentType: "image/png" });
    expect(error).toMatchObject({ statusCode: "413", code: "EntityTooLarge" });
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test("a page moved or copied from another bucket", async () => {
    const anything = testServer.as("server").from("anything");
    expect((await anything.upload("page.png", html, { contentType: "image/png" })).error).toBe(null);
    const elsewhere = { destinationBucket: "pictures" };
    expect((await anything.move("page.png", "page.png", elsewhere)).error).toMatchObject({
      statusCode: "415",
    });
    expect((await anything.copy("page.png", "page.png", elsewhere)).error).toMatchObject({
      statusCode: "415",
    });
    await anything.remove(["page.png"]);
  });

  test.each([
    "image/png;, text/html",
    "image/png, text/html",
    'image/png; x=","',
    "image/png; text/html",
    "png",
    "image /png",
  ])("a type that a browser could read otherwise: %s", async (contentType) => {
    for (const body of [await picture("png"), new Blob([(await picture("png")) as never])]) {
      const { error } = await pictures().upload("impostor.png", body, { contentType });
      expect(error).toMatchObject({ statusCode: "415", code: "InvalidMimeType" });
    }
    await testServer
      .as("server")
      .from("anything")
      .upload("a.png", await picture("png"), { contentType: "image/png" });
    const copied = await testServer.request("POST", "/object/copy", {
      as: "server",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        bucketId: "anything",
        sourceKey: "a.png",
        destinationKey: "b.png",
        copyMetadata: false,
        metadata: { mimetype: contentType },
      }),
    });
    expect(await copied.json()).toMatchObject({ statusCode: "415" });
    await testServer.as("server").from("anything").remove(["a.png"]);
    await expect.poll(testServer.files).toEqual([]);
  });

  test("a binary declared as text", async () => {
    const words = testServer.as("server").from("words");
    const contentType = "text/plain";
    expect((await words.upload("a.txt", zip, { contentType: "application/zip" })).error).toMatchObject({
      statusCode: "415",
    });
    expect((await words.upload("a.txt", await picture("png"), { contentType })).error).toMatchObject({
      statusCode: "415",
    });
    expect((await words.upload("a.txt", "words", { contentType })).error).toBe(null);
  });
});

describe("a folder without files", () => {
  const placeholder = "folder/.emptyFolderPlaceholder";

  test.each(["text/plain;charset=UTF-8", "application/octet-stream"])(
    "is created by an empty file of type %s, whatever types the bucket takes",
    async (contentType) => {
      for (const body of ["", new Blob([], { type: contentType })]) {
        const { error } = await pictures().upload(placeholder, body, { contentType, upsert: true });
        expect(error).toBe(null);
      }
      expect((await pictures().move(placeholder, `other/${placeholder}`)).error).toBe(null);
      expect((await pictures().list("other")).data).toMatchObject([{ name: "folder", id: null }]);
      await pictures().remove([`other/${placeholder}`]);
    },
  );

  test("is no way around the allowed types", async () => {
    const contentType = "text/html";
    for (const body of [html, new Blob([html], { type: contentType }), new Blob([html]).stream()]) {
      const { error } = await pictures().upload(placeholder, body, {
        contentType,
        duplex: "half",
        upsert: true,
      });
      expect(error).toMatchObject({ statusCode: "415" });
    }
    expect((await pictures().upload(`${placeholder}.html`, "", { contentType })).error).toMatchObject({
      statusCode: "415",
    });
    await pictures().upload(placeholder, "", { contentType: "image/png", upsert: true });
    expect((await pictures().move(placeholder, "folder/a.png")).error).toMatchObject({ statusCode: "415" });
  });
});

test.each(["png", "jpeg", "webp", "gif"] as const)("a genuine %s is accepted", async (format) => {
  const contentType = `image/${format}`;
  const { error } = await pictures().upload(`true.${format}`, await picture(format), { contentType });
  expect(error).toBe(null);
});

test("an animation is accepted", async () => {
  expect((await pictures().upload("moving.gif", await animation(), { contentType: "image/gif" })).error).toBe(
    null,
  );
});
