import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
const files = (bucket = "closed") => testServer.as("server").from(bucket);
const LIMIT = 400_000;

beforeAll(async () => {
  testServer = await openStorage({ fileSizeLimit: LIMIT });
  await testServer.query(
    `insert into storage.buckets (id, name, public, file_size_limit) values
       ('open', 'open', true, null), ('closed', 'closed', false, null), ('small', 'small', false, 100)`,
  );
});
afterAll(() => testServer.close());

test("an object whose file is on another machine's disk gets a clear error, and the log tells the operator what to set", async () => {
  await files().upload("elsewhere.txt", "text");
  await rm(join(testServer.folder, "files"), { recursive: true });
  const answer = await testServer.request("GET", "/object/closed/elsewhere.txt", { as: "server" });
  expect(await answer.json()).toMatchObject({
    statusCode: "404",
    code: "NoSuchKey",
    message: "The file of this object is not kept by this server",
  });
  expect(testServer.logged.splice(0)).toEqual([expect.stringContaining("set S3_BUCKET for all of them")]);
  await files().remove(["elsewhere.txt"]);
});

describe("refused", () => {
  test("is every request without a key or with an invalid one", async () => {
    const bare = await testServer.request("GET", "/object/closed/a.txt", { as: null });
    expect([bare.status, await bare.json()]).toEqual([
      400,
      { statusCode: "403", error: "Unauthorized", message: "Invalid Compact JWS", code: "AccessDenied" },
    ]);
    // Whoever sends a token that is none is no visitor.
    for (const authorization of ["Bearer a.b.c", "Bearer a b", "a b"]) {
      const answer = await testServer.request("POST", "/object/list/closed", {
        as: null,
        headers: { apikey: testServer.anonKey, authorization },
        body: "{}",
      });
      expect(await answer.json()).toMatchObject({ statusCode: "403" });
    }
  });

  test("is a name that could escape its path, however it is encoded", async () => {
    const names = [
      "../secret",
      "%2e%2e/secret",
      "a/..%2fsecret",
      "a%00b",
      "a%5Cb",
      "a//b",
      "%252e%252e/x",
      "caf%C3%A9.txt",
      "cafe%CC%81.txt",
      "a%0Ab",
      "x".repeat(1025),
      "%E0%A4%A",
    ];
    for (const name of names) expect(await rawUpload(name), name).toMatchObject({ code: "InvalidKey" });
    expect(await testServer.files()).toEqual([]);
    expect(await testServer.query("select from storage.objects")).toEqual([]);
  });

  test("is a body over the limit, with or without Content-Length, before it takes up space", async () => {
    const tooLarge = {
      statusCode: "413",
      code: "EntityTooLarge",
      message: "The object exceeded the maximum allowed size",
    };
    expect((await files().upload("a.bin", Buffer.alloc(LIMIT + 1))).error).toMatchObject(tooLarge);
    expect((await files().upload("a.bin", new Blob([Buffer.alloc(LIMIT + 1)]))).error).toMatchObject(
      tooLarge,
    );
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(100_000)) });
    const untold = await files().upload("a.bin", limited(endless, 20), { duplex: "half" });
    expect(untold.error).toMatchObject(tooLarge);
    expect((await files("small").upload("a.txt", "x".repeat(101))).error).toMatchObject(tooLarge);
    expect((await files("small").upload("a.txt", "x".repeat(100))).error).toBe(null);
  });

  test("is a form without a file or cut off, a header injection, and invalid metadata", async () => {
    const form = new FormData();
    form.set("cacheControl", "60");
    const empty = await testServer.request("POST", "/object/closed/a.txt", { as: "server", body: form });
    expect(await empty.json()).toMatchObject({ message: "No file provided" });
    const cut = '--x\r\ncontent-disposition: form-data; name=""; filename="a"\r\n\r\nhalf';
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const broken = await testServer.request("POST", "/object/closed/a.txt", {
      as: "server",
      body: cut,
      headers,
    });
    expect(broken.status).toBe(400);
    const line = new FormData();
    line.set("cacheControl", "1\r\nset-cookie: a=b");
    line.set("", new Blob(["a"]));
    const split = await testServer.request("POST", "/object/closed/a.txt", { as: "server", body: line });
    expect(await split.json()).toMatchObject({
      message: 'Invalid character in response header "cache-control"',
    });
    const words = { "x-metadata": Buffer.from("[1]").toString("base64") };
    const answer = await testServer.request("POST", "/object/closed/a.txt", {
      as: "server",
      body: "a",
      headers: words,
    });
    expect(await answer.json()).toMatchObject({ message: "Invalid metadata: a JSON object is expected" });
    expect((await files().exists("a.txt")).data).toBe(false);
  });

  test("are values that the database cannot store, as invalid requests", async () => {
    const wrong = { statusCode: "400", code: "InvalidRequest" };
    const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await testServer.request(method, path, { as: "server", ...text, headers })).json();
    };
    const words = (text: string) => ({ "x-metadata": Buffer.from(text).toString("base64") });
    const deep = `{"a":${"[".repeat(5500)}${"]".repeat(5500)}}`;
    const nested = `{"a":${"[".repeat(45_000)}${"]".repeat(45_000)}}`;
    expect(await ask("POST", "/object/closed/a", "x", words('{"a":"\\u0000"}'))).toMatchObject(wrong);
    expect(await ask("POST", "/object/closed/a", "x", words('{"a":"\\ud800"}'))).toMatchObject(wrong);
    expect(await ask("GET", "/bucket/a%00b")).toMatchObject(wrong);
    expect(await ask("GET", "/object/public/a%00b/c")).toMatchObject(wrong);
    expect(await ask("GET", "/bucket?search=%00")).toMatchObject(wrong);
    expect(await ask("POST", "/object/list/closed", { offset: 2 ** 53 - 1 })).toMatchObject(wrong);
    expect(await ask("DELETE", "/object/closed", { prefixes: ["\ud800"] })).toMatchObject(wrong);
    const cursor = Buffer.from('["a","99","created_at asc exclude exclude"]').toString("base64url");
    const sortBy = { column: "created_at", order: "asc" };
    expect(await ask("POST", "/object/list-v2/closed", { cursor, sortBy })).toMatchObject(wrong);
    expect(await ask("POST", "/object/closed/deep", "x", words(deep))).not.toMatchObject({
      statusCode: "500",
    });
    const form = new FormData();
    form.set("metadata", nested);
    form.set("", new Blob(["x"]));
    const answer = await testServer.request("POST", "/object/closed/a", { as: "server", body: form });
    expect(await answer.json()).toMatchObject(wrong);
    expect(testServer.logged).toEqual([]);
    await files().remove(["deep"]);
  });

  test("is a missing object, or one in a missing or private bucket", async () => {
    const noKey = { statusCode: "404", code: "NoSuchKey", message: "Object not found" };
    expect((await files().info("none")).error).toMatchObject(noKey);
    expect((await files().update("none", "x")).error).toMatchObject(noKey);
    expect((await files().move("none", "other")).error).toMatchObject(noKey);
    expect((await files().copy("none", "other")).error).toMatchObject(noKey);
    expect((await files().download("none")).error).toBeTruthy();
    expect((await files("nope").upload("a", "x")).error).toMatchObject({ code: "NoSuchBucket" });
    const hidden = await fetch(`${testServer.url}/storage/v1/object/public/closed/none`);
    expect(await hidden.json()).toMatchObject({ statusCode: "404", message: "Bucket not found" });
    expect((await testServer.request("GET", "/nothing/here")).status).toBe(404);
  });
});

describe("by the official client", () => {
  test("an upload is listed, described, downloaded, publicly served, and gone once removed", async () => {
    const open = files("open");
    const uploaded = await open.upload("folder/note.txt", "ahoy", { contentType: "text/plain" });
    expect(uploaded).toMatchObject({
      error: null,
      data: { path: "folder/note.txt", fullPath: "open/folder/note.txt" },
    });
    expect((await open.upload("folder/note.txt", "other")).error).toMatchObject({
      statusCode: "409",
      message: "The resource already exists",
    });
    expect((await open.list("folder")).data).toMatchObject([
      { name: "note.txt", metadata: { size: 4, mimetype: "text/plain", cacheControl: "max-age=3600" } },
    ]);
    expect((await open.list()).data).toMatchObject([{ name: "folder", id: null }]);
    expect(await (await open.download("folder/note.txt")).data?.text()).toBe("ahoy");
    const served = await fetch(open.getPublicUrl("folder/note.txt").data.publicUrl);
    expect(await served.text()).toBe("ahoy");
    expect(served.headers.get("cache-control")).toBe("max-age=3600");
    expect((await open.info("folder/note.txt")).data).toMatchObject({ size: 4, contentType: "text/plain" });
    expect((await open.exists("folder/note.txt")).data).toBe(true);
    expect((await open.remove(["folder/note.txt"])).data).toMatchObject([{ name: "folder/note.txt" }]);
    expect((await open.exists("folder/note.txt")).data).toBe(false);
    const path = "/object/open/folder/note.txt";
    expect((await testServer.request("DELETE", path, { as: "server" })).status).toBe(400);
    await expect.poll(async () => (await open.list()).data).toEqual([]);
  });

  test("an object that came with a name it could not be given here is found; a folder is none", async () => {
    await files().upload("kept.txt", "kept");
    const name = "boxes//kept.txt";
    await testServer.query("update storage.objects set name = $1 where name = 'kept.txt'", [name]);
    expect((await files().exists(name)).data).toBe(true);
    expect(await (await files().download(name)).data?.text()).toBe("kept");
    const { data } = await files().createSignedUrl(name, 60);
    expect(await (await fetch(data?.signedUrl ?? "")).text()).toBe("kept");
    expect((await files().move(name, "kept.txt")).error).toBeNull();
    expect((await files().exists("boxes/")).data).toBe(false);
    await files().remove(["kept.txt"]);
  });

  test("a move takes along what replaced the object meanwhile", async () => {
    await files().upload("raced.txt", "first");
    const replacing = new Client({ connectionString: testServer.databaseUrls.superuser });
    await replacing.connect();
    await replacing.query("begin");
    await replacing.query("update storage.objects set version = 'second' where name = 'raced.txt'");
    const moving = files().move("raced.txt", "moved.txt");
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(() => testServer.query(waiting)).toHaveLength(1);
    await replacing.query("commit");
    await replacing.end();
    expect(await moving).toMatchObject({ error: null });
    expect((await files().info("moved.txt")).data?.version).toBe("second");
    await files().remove(["moved.txt"]);
  });

  test("a removal by version removes that version or nothing", async () => {
    await files().upload("kept.txt", "kept");
    const version = (await files().info("kept.txt")).data?.version;
    const remove = async (versionId?: string) => {
      const path = `/object/closed/kept.txt?versionId=${versionId}`;
      const answer = await testServer.request("DELETE", path, { as: "server" });
      return [answer.status, await answer.json()];
    };
    const missing = expect.objectContaining({ statusCode: "404", code: "NoSuchKey" });
    expect(await remove("another")).toEqual([400, missing]);
    expect(await remove("")).toEqual([400, missing]);
    expect((await files().exists("kept.txt")).data).toBe(true);
    expect(await remove(version)).toEqual([200, { message: "Successfully deleted" }]);
  });

  test("files arrive as a form, a Blob, a stream or bytes, and updates leave no old file behind", async () => {
    const blob = new Blob(["from a blob"], { type: "text/plain" });
    expect((await files().upload("up/blob.txt", blob, { metadata: { from: "blob" } })).error).toBe(null);
    expect((await files().info("up/blob.txt")).data).toMatchObject({
      metadata: { from: "blob" },
      contentType: "text/plain",
      cacheControl: "max-age=3600",
    });
    const form = new FormData();
    form.append("file", new Blob(["of a form"]), "a.txt");
    expect((await files().upload("up/form.txt", form, { cacheControl: "60" })).error).toBe(null);
    expect((await files().info("up/form.txt")).data).toMatchObject({ size: 9, cacheControl: "max-age=60" });
    const stream = new Blob(["a".repeat(300_000)]).stream();
    expect((await files().upload("up/stream.txt", stream, { duplex: "half" })).error).toBe(null);
    expect((await files().download("up/stream.txt")).data?.size).toBe(300_000);
    const before = await testServer.files();
    expect((await files().update("up/stream.txt", "short")).error).toBe(null);
    expect((await files().upload("up/blob.txt", "over", { upsert: true })).error).toBe(null);
    expect(await (await files().download("up/stream.txt")).data?.text()).toBe("short");
    await expect.poll(async () => (await testServer.files()).length).toBe(before.length);
    expect((await files().upload("up/empty.txt", "")).error).toBe(null);
    expect((await files().download("up/empty.txt")).data?.size).toBe(0);
  });

  test("copying, moving and rendering never fail while others replace and remove the object", async () => {
    await testServer.query("insert into storage.buckets (id, name, public) values ('busy', 'busy', true)");
    const busy = testServer.as("server").from("busy");
    const writing = { contentType: "text/plain", upsert: true };
    await busy.upload("busy.txt", "0", writing);
    const statuses = new Set<string | undefined>();
    const note = async (asked: PromiseLike<{ error: unknown }>) => {
      const { error } = await asked;
      statuses.add((error as { statusCode?: string } | null)?.statusCode ?? (error ? String(error) : "200"));
    };
    let isOver = false;
    const writer = async () => {
      for (let turn = 0; !isOver; turn++) {
        if (turn % 7 === 6) await busy.remove(["busy.txt"]);
        await busy.upload("busy.txt", `${turn}`, writing);
      }
    };
    const writers = [writer(), writer(), writer()];
    const readers = Array.from({ length: 4 }, async (_, reader) => {
      for (let turn = 0; turn < 40; turn++) {
        await note(busy.copy("busy.txt", `copies/${reader}-${turn}`));
        const path = `/render/image/public/busy/busy.txt?width=${9 + turn}`;
        statuses.add((await (await testServer.request("GET", path)).json()).statusCode);
      }
    });
    await Promise.all(readers);
    isOver = true;
    await Promise.all(writers);
    expect([...statuses].filter((status) => !["200", "400", "404", "429"].includes(status ?? ""))).toEqual(
      [],
    );
    expect(statuses).toContain("200");
    expect(testServer.logged.filter((line) => line.includes("failed"))).toEqual([]);
  });

  test("a move changes the name only and a copy has its own file, within and across buckets", async () => {
    await files().upload("from.txt", "cargo", { contentType: "text/plain", metadata: { weight: 3 } });
    expect((await files().move("from.txt", "deck/to.txt")).data).toMatchObject({
      message: "Successfully moved",
    });
    expect((await files().exists("from.txt")).data).toBe(false);
    expect((await files().copy("deck/to.txt", "deck/copy.txt")).data).toEqual({
      path: "closed/deck/copy.txt",
    });
    expect((await files().copy("deck/to.txt", "deck/copy.txt")).error).toMatchObject({ statusCode: "409" });
    expect((await files().move("deck/to.txt", "shown.txt", { destinationBucket: "open" })).error).toBe(null);
    expect(await (await files("open").download("shown.txt")).data?.text()).toBe("cargo");
    expect((await files("open").info("shown.txt")).data).toMatchObject({ metadata: { weight: 3 } });
    await files("open").remove(["shown.txt"]);
    expect(await (await files().download("deck/copy.txt")).data?.text()).toBe("cargo");
    await files().upload("big.txt", "x".repeat(101));
    expect((await files().move("big.txt", "big.txt", { destinationBucket: "small" })).error).toMatchObject({
      statusCode: "413",
    });
  });

  test("a folder is listed by name, by time, by search and by page", async () => {
    for (const name of ["b.txt", "a.txt", "sub/one.txt", "sub/deep/two.txt", "B2.txt"]) {
      await files().upload(`list/${name}`, "x");
    }
    const names = async (options?: Parameters<ReturnType<typeof files>["list"]>[1]) =>
      (await files().list("list", options)).data?.map(({ name }) => name);
    expect(await names()).toEqual(["B2.txt", "a.txt", "b.txt", "sub"]);
    expect(await names({ sortBy: { column: "name", order: "desc" } })).toEqual([
      "sub",
      "b.txt",
      "a.txt",
      "B2.txt",
    ]);
    expect(await names({ sortBy: { column: "created_at", order: "desc" } })).toEqual([
      "sub",
      "B2.txt",
      "a.txt",
      "b.txt",
    ]);
    expect(await names({ search: "b" })).toEqual(["B2.txt", "b.txt"]);
    expect(await names({ limit: 2, offset: 1 })).toEqual(["a.txt", "b.txt"]);
    expect((await files().list("list/sub")).data?.map(({ name }) => name)).toEqual(["deep", "one.txt"]);
    expect((await files().list("lis")).data).toEqual([]);
  });

  test("a search may name folders, by name and by time", async () => {
    for (const name of ["a/b/c/file.png", "a/b/c/other.png", "a/b/sub1/x", "a/b/sub1/y", "a/b/sub2/z"]) {
      await files().upload(`search/${name}`, "x");
    }
    for (const column of ["name", "created_at"]) {
      const found = async (folder: string, search: string) =>
        (await files().list(folder, { search, sortBy: { column, order: "asc" } })).data?.map(
          ({ name, id }) => (id === null ? `${name}/` : name),
        );
      expect(await found("search/a", "b/c/file.png")).toEqual(["b/c/file.png"]);
      expect(await found("search/a", "b/c/FI")).toEqual(["b/c/file.png"]);
      expect(await found("", "search/a/b/c/")).toEqual(["search/a/b/c/file.png", "search/a/b/c/other.png"]);
      expect(await found("search", "a/b/sub")).toEqual(["a/b/sub1/", "a/b/sub2/"]);
      expect(await found("search/a", "x/y/file.png")).toEqual([]);
    }
  });

  test("list-v2 is paginated, flat or by folders", async () => {
    const flat = await pages({ prefix: "list/", limit: 2 });
    expect(flat).toEqual([
      ["list/B2.txt", "list/a.txt"],
      ["list/b.txt", "list/sub/deep/two.txt"],
      ["list/sub/one.txt"],
    ]);
    const byFolder = await files().listV2({ prefix: "list/", with_delimiter: true });
    expect(byFolder.data?.folders).toMatchObject([{ name: "list/sub/" }]);
    expect(byFolder.data?.objects.map(({ name }) => name)).toEqual([
      "list/B2.txt",
      "list/a.txt",
      "list/b.txt",
    ]);
    const newest = await pages({
      prefix: "list/",
      limit: 3,
      sortBy: { column: "created_at", order: "desc" },
    });
    expect(newest.flat()).toEqual([
      "list/B2.txt",
      "list/sub/deep/two.txt",
      "list/sub/one.txt",
      "list/a.txt",
      "list/b.txt",
    ]);
  });

  test("a cursor of list-v2 continues the same list only", async () => {
    const created = { column: "created_at", order: "asc" } as const;
    const list = (more: object = {}) =>
      files().listV2({ prefix: "list/", limit: 1, sortBy: created, ...more });
    const cursor = (await list()).data?.nextCursor;
    expect((await list({ cursor, limit: 3 })).data?.objects).toHaveLength(3);
    expect((await list({ cursor, noncurrentVersions: "exclude" })).error).toBe(null);
    for (const other of [
      { noncurrentVersions: "include" },
      { deleteMarkers: "include" },
      { sortBy: { ...created, order: "desc" } },
      { sortBy: { ...created, column: "updated_at" } },
      { sortBy: null },
    ]) {
      const { error } = await list({ cursor, ...other });
      expect(error).toMatchObject({ statusCode: "400", message: "Invalid cursor" });
    }
  });

  test("a list is limited to 100 names by default", async () => {
    await testServer.query(
      `insert into storage.objects (bucket_id, name, version, metadata)
       select 'closed', 'many/' || lpad(n::text, 3, '0'), gen_random_uuid()::text, '{}' from generate_series(1, 101) n`,
    );
    const bare = await testServer.request("POST", "/object/list/closed", {
      as: "server",
      body: '{"prefix":"many"}',
    });
    const names = ((await bare.json()) as { name: string }[]).map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([100, "001", "100"]);
    expect((await files().list("many", { limit: 5000 })).data).toHaveLength(101);
  });

  test("a copy may get new metadata", async () => {
    await files().upload("words/old", "x", { contentType: "text/plain", metadata: { by: "Ana" } });
    const copy = (destinationKey: string, more: object, headers = {}) =>
      testServer.request("POST", "/object/copy", {
        as: "server",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ bucketId: "closed", sourceKey: "words/old", destinationKey, ...more }),
      });
    await copy("words/same", { metadata: { mimetype: "text/csv" } });
    expect((await files().info("words/same")).data).toMatchObject({
      contentType: "text/plain",
      metadata: { by: "Ana" },
    });
    const words = { "x-metadata": Buffer.from('{"by":"Ben"}').toString("base64") };
    await copy(
      "words/new",
      { copyMetadata: false, metadata: { mimetype: "text/csv", cacheControl: "max-age=9" } },
      words,
    );
    const { data } = await files().info("words/new");
    expect(data).toMatchObject({
      contentType: "text/csv",
      cacheControl: "max-age=9",
      metadata: { by: "Ben" },
    });
    const head = await testServer.request("HEAD", "/object/info/closed/words/new", { as: "server" });
    expect([head.status, head.headers.get("etag")]).toEqual([200, data?.etag]);
  });
});

describe("the service itself", () => {
  test("reports its version and health, and that there is no CDN to purge", async () => {
    const version = await testServer.request("GET", "/version", { as: null });
    expect([version.headers.get("content-type"), await version.text()]).toEqual([
      "text/plain; charset=utf-8",
      expect.stringMatching(/^\d+\.\d+\.\d+$/),
    ]);
    expect(await (await testServer.request("GET", "/health", { as: null })).json()).toEqual({
      healthy: true,
    });
    expect((await files().purgeCache("a.txt")).error).toMatchObject({
      statusCode: "403",
      message: "CDN caches to purge: this server has no such thing",
    });
    const stranger = await testServer.as("Ana").from("closed").purgeCache("a.txt");
    expect(stranger.error).toMatchObject({ statusCode: "403", message: expect.stringContaining("denied") });
  });
});

async function pages(options: Parameters<ReturnType<typeof files>["listV2"]>[0]) {
  const found: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const { data } = await files().listV2({ ...options, ...(cursor && { cursor }) });
    found.push(data?.objects.map(({ name }) => name) ?? []);
    if (!data?.hasNext) return found;
    cursor = data.nextCursor;
  }
}

/** Through a raw socket, since HTTP clients normalize URLs before sending them. */
async function rawUpload(name: string): Promise<Record<string, string>> {
  const { hostname, port } = new URL(testServer.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /storage/v1/object/closed/${name} HTTP/1.1\r\nhost: x\r\napikey: ${testServer.anonKey}\r\n` +
      `authorization: Bearer ${testServer.keys.server}\r\ncontent-length: 1\r\nconnection: close\r\n\r\nx`,
  );
  let text = "";
  for await (const chunk of socket) text += chunk;
  return JSON.parse(text.slice(text.indexOf("\r\n\r\n")));
}

function limited(stream: ReadableStream<Uint8Array>, chunks: number): ReadableStream<Uint8Array> {
  let left = chunks;
  return stream.pipeThrough(
    new TransformStream({
      transform: (chunk, controller) => {
        controller.enqueue(chunk);
        if (--left === 0) controller.terminate();
      },
    }),
  );
}

test("a form's file may be as large as its bucket allows, however the form's type is written", async () => {
  const body = `--x\r\ncontent-disposition: form-data; name=""; filename="a"\r\n\r\n${"a".repeat(100)}\r\n--x--`;
  for (const type of ["multipart/form-data", "Multipart/Form-Data"]) {
    const headers = { "content-type": `${type}; boundary=x`, "x-upsert": "true" };
    const answer = await testServer.request("POST", "/object/small/full", { as: "server", body, headers });
    expect([type, answer.status]).toEqual([type, 200]);
  }
});
