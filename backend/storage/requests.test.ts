import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
const files = (bucket = "closed") => testServer.as("server").from(bucket);

beforeAll(async () => {
  testServer = await openStorage();
  await testServer.query(
    `insert into storage.buckets (id, name, public, allowed_mime_types) values
       ('closed', 'closed', false, null), ('pictures', 'pictures', false, '{image/png}')`,
  );
});
afterAll(() => testServer.close());

describe("a form whose fields follow the file", () => {
  async function upload(bucket: string, file: Blob, fields: Record<string, string>) {
    const form = new FormData();
    form.set("", file, "file");
    for (const [name, text] of Object.entries(fields)) form.set(name, text);
    const answer = await testServer.request("POST", `/object/${bucket}/late`, {
      as: "server",
      body: form,
      headers: { "x-upsert": "true" },
    });
    return (await answer.json()) as Record<string, string>;
  }

  test.each([10, 300_000])("describes the file: %i bytes", async (bytes) => {
    const fields = { metadata: '{"by":"Ana"}', contentType: "text/csv", cacheControl: "60" };
    await upload("closed", new Blob(["x".repeat(bytes)]), fields);
    expect((await files().info("late")).data).toMatchObject({
      size: bytes,
      metadata: { by: "Ana" },
      contentType: "text/csv",
      cacheControl: "max-age=60",
    });
  });

  test("is refused for a type that the bucket does not take, and for invalid metadata", async () => {
    const png = new Blob([(await picture("png")) as never], { type: "image/png" });
    for (const contentType of ["text/html", "image/jpeg"]) {
      expect(await upload("pictures", png, { contentType })).toMatchObject({ statusCode: "415" });
    }
    expect(await upload("closed", png, { metadata: "[1]" })).toMatchObject({ statusCode: "400" });
    expect((await files("pictures").list()).data).toEqual([]);
    expect(await testServer.incoming()).toEqual([]);
  });
});

test("a token may be sent without its scheme", async () => {
  const status = async (authorization: string) => {
    const headers = { apikey: testServer.anonKey, authorization };
    return (await testServer.request("GET", "/bucket/closed", { as: null, headers })).status;
  };
  const { server, visitor } = testServer.keys;
  expect([await status(server), await status(`bearer  ${server}`)]).toEqual([200, 200]);
  expect([await status(visitor), await status("a.b.c"), await status(`Basic ${server}`)]).toEqual([
    400, 400, 400,
  ]);
});
