import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
const NAME = "folder/photo.png";

beforeAll(async () => {
  testServer = await openStorage();
  await testServer.query(
    "insert into storage.buckets (id, name, public) values ('open', 'open', true), ('closed', 'closed', false)",
  );
  for (const bucket of ["open", "closed"]) {
    const files = testServer.as("server").from(bucket);
    await files.upload(NAME, await picture("png", 100, 50), { contentType: "image/png" });
  }
});
afterAll(() => testServer.close());

describe.each(["visitor", "Ana"] as const)("without any policy, %s", (person) => {
  test("reads what is in a public bucket by every method of the client", async () => {
    const open = testServer.as(person).from("open");
    expect((await open.download(NAME)).data?.type).toBe("image/png");
    expect((await open.info(NAME)).data).toMatchObject({ name: NAME, contentType: "image/png" });
    expect(await open.exists(NAME)).toMatchObject({ data: true, error: null });
    expect((await open.download(NAME, { transform: { width: 10 } })).data?.type).toBe("image/png");
  });

  test("learns what is missing there, by name or version", async () => {
    const open = testServer.as(person).from("open");
    const missing = { statusCode: "404", code: "NoSuchKey" };
    expect((await open.info("none.png")).error).toMatchObject(missing);
    expect((await open.info(NAME, { versionId: "another" })).error).toMatchObject(missing);
  });

  test("reads nothing of a private bucket", async () => {
    const closed = testServer.as(person).from("closed");
    expect((await closed.info(NAME)).error).toMatchObject({ statusCode: "404", code: "NoSuchKey" });
    expect((await closed.download(NAME)).data).toBe(null);
    expect((await closed.exists(NAME)).data).toBe(false);
  });
});

const PATHS = ["/object/", "/object/authenticated/", "/object/info/", "/render/image/authenticated/"];
const TOKENS: Record<string, string>[] = [{}, { authorization: "" }, { authorization: "Bearer a.b.c" }];

describe.each(PATHS)("%s needs no token", (path) => {
  test.each(TOKENS)("for a public bucket: %o", async (headers) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await testServer.request(method, `${path}open/${NAME}?width=10`, { as: null, headers });
      expect([method, answer.status]).toEqual([method, 200]);
    }
  });

  test.each(TOKENS)("but for a private one it does: %o", async (headers) => {
    for (const bucket of ["closed", "none"]) {
      const answer = await testServer.request("GET", `${path}${bucket}/${NAME}`, { as: null, headers });
      expect([answer.status, await answer.json()]).toMatchObject([400, { statusCode: "403" }]);
    }
  });
});
