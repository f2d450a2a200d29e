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

test("a token needs no API key beside it, and may be sent without its scheme", async () => {
  const status = async (authorization: string) => {
    const headers = { authorization };
    return (await testServer.request("GET", "/bucket/closed", { as: null, headers })).status;
  };
  const { server, visitor } = testServer.keys;
  expect([await status(server), await status(`bearer  ${server}`)]).toEqual([200, 200]);
  expect([await status(visitor), await status("a.b.c"), await status(`Basic ${server}`)]).toEqual([
    400, 400, 400,
  ]);
});

describe("statuses", () => {
  const ask = async (
    method: string,
    path: string,
    options: Parameters<typeof testServer.request>[2] = {},
  ) => {
    const answer = await testServer.request(method, path, { as: "server", ...options });
    return [answer.status, await answer.json()];
  };
  const json = (value: unknown) => ({
    body: JSON.stringify(value),
    headers: { "content-type": "application/json" },
  });

  test("an unknown route is not found", async () => {
    expect(await ask("GET", "/nothing/here")).toMatchObject([404, { statusCode: "404" }]);
    expect(await ask("GET", "/object/closed")).toMatchObject([404, { statusCode: "404" }]);
  });

  test("an upload without a name is invalid", async () => {
    for (const method of ["POST", "PUT"]) {
      const invalid = { statusCode: "400", code: "InvalidKey" };
      expect(await ask(method, "/object/closed/", { body: "x" })).toMatchObject([400, invalid]);
    }
  });

  test("only a server purges the CDN", async () => {
    for (const as of ["visitor", "Ana"] as const) {
      expect(await ask("DELETE", "/cdn/closed/a.txt", { as })).toMatchObject([403, { code: "AccessDenied" }]);
    }
  });

  test("a list of no buckets and an update of nothing are refused", async () => {
    const invalid = { statusCode: "400", code: "InvalidRequest" };
    expect(await ask("GET", "/bucket?limit=0")).toMatchObject([400, invalid]);
    expect(await ask("PUT", "/bucket/closed", json({}))).toMatchObject([400, invalid]);
    expect(await ask("PUT", "/bucket/closed", json({ public: null }))).toMatchObject([200, {}]);
  });

  test.each(["notatype", "image/\tpng", `text/${"x".repeat(300)}`])(
    "a malformed content type is named as such: %j",
    async (contentType) => {
      const headers = { "content-type": contentType };
      const malformed = {
        statusCode: "415",
        code: "InvalidMimeType",
        message: "Invalid Content-Type header",
      };
      expect(await ask("POST", "/object/closed/a.txt", { body: "x", headers })).toMatchObject([
        400,
        malformed,
      ]);
    },
  );

  test("more names than a page has are removed at once", async () => {
    const names = Array.from({ length: 1_500 }, (_, n) => `many/${n}`);
    await testServer.query(
      `insert into storage.objects (bucket_id, name, version, metadata)
       select 'closed', name, gen_random_uuid()::text, '{}' from unnest($1::text[]) name`,
      [names],
    );
    expect((await files().remove([...names, "none"])).data).toHaveLength(names.length);
  });

  test("parameters of a rendering are checked where only the object is described", async () => {
    await files().upload("plain.txt", "x");
    for (const query of ["format=avif%0Ax", "resize=cover%0Ax", "width=0"]) {
      for (const path of ["/object/info/closed/plain.txt", "/object/info/public/closed/plain.txt"]) {
        const [name] = query.split("=");
        const refused = { statusCode: "400", message: expect.stringContaining(name as string) };
        expect(await ask("GET", `${path}?${query}`)).toMatchObject([400, refused]);
      }
      const head = await testServer.request("HEAD", `/object/closed/plain.txt?${query}`, { as: "server" });
      expect(head.status).toBe(400);
      expect(await files().download("plain.txt")).toMatchObject({ error: null });
    }
    expect(await ask("GET", "/object/info/closed/plain.txt?width=9&resize=cover")).toMatchObject([200, {}]);
  });
});

describe("a bucket that the caller may see", () => {
  beforeAll(async () => {
    await testServer.query(
      `insert into storage.buckets (id, name) values ('seen', 'seen');
       create policy "all see" on storage.buckets for select using (id = 'seen');
       create policy "all see" on storage.objects for select using (bucket_id = 'seen');
       create policy "Ana removes" on storage.objects for delete to authenticated
         using (bucket_id = 'seen' and auth.uid()::text like 'a%')`,
    );
    await files("seen").upload("a.txt", "x");
  });

  test("is emptied by who may remove objects; others are refused", async () => {
    for (const person of ["visitor", "Ben"] as const) {
      const { error } = await testServer.as(person).emptyBucket("seen");
      expect(error).toMatchObject({ status: 403, statusCode: "403", code: "AccessDenied" });
    }
    expect((await files("seen").exists("a.txt")).data).toBe(true);
    expect((await testServer.as("Ana").emptyBucket("seen")).error).toBe(null);
    expect((await files("seen").exists("a.txt")).data).toBe(false);
    expect((await testServer.as("Ben").emptyBucket("seen")).error).toBe(null);
  });

  test("but not remove is not found by a removal", async () => {
    const { error } = await testServer.as("Ana").deleteBucket("seen");
    expect(error).toMatchObject({ statusCode: "404", code: "NoSuchBucket", message: "Bucket not found" });
    expect((await testServer.as("Ana").getBucket("seen")).error).toBe(null);
  });
});

describe("what search engines may do", () => {
  const upload = async (tag: string, body: BodyInit = "x") => {
    const headers = { "x-robots-tag": tag, "x-upsert": "true" };
    return testServer.request("POST", "/object/closed/found.txt", { as: "server", headers, body });
  };
  const served = async () => {
    const path = "/object/authenticated/closed/found.txt";
    return (await testServer.request("GET", path, { as: "server" })).headers.get("x-robots-tag");
  };

  test.each([
    "all",
    "noindex, NOFOLLOW,notranslate",
    "max-snippet: -1, max-image-preview:large",
    "googlebot: noindex, otherbot: max-video-preview: 30",
    "unavailable_after: Sat, 21 Jun 2025 10:00:00 GMT, noindex",
    "unavailable_after: 2025-06-21",
  ])("is stored with the file and served: %s", async (tag) => {
    expect((await upload(tag)).status).toBe(200);
    expect(await served()).toBe(tag);
  });

  test("is stored with a form's file, too, and is nothing by default", async () => {
    const form = new FormData();
    form.set("", new Blob(["x"]));
    await upload("noindex", form);
    expect(await served()).toBe("noindex");
    await files().upload("found.txt", "x", { upsert: true });
    expect(await served()).toBe("none");
  });

  test.each([
    ["invalidrule", 'rule: "invalidrule"'],
    ["noindex, , all", 'rule: ""'],
    ["all, noindexed", 'rule: "noindexed"'],
    ["max-snippet: x", 'rule: "max-snippet: x"'],
    ["bot:", 'rule: "bot:"'],
    ["all, ", 'rule: "all"'],
    [" ", "non-empty"],
    ["all,".repeat(100), "too long"],
  ])("is refused if it is invalid: %s", async (tag, reason) => {
    const answer = await upload(tag);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { statusCode: "400", error: "invalid_x_robots_tag", message: expect.stringContaining(reason) },
    ]);
  });
});
