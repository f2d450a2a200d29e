import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Upload as ClientUpload, type UploadOptions } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { retryUntilPassing } from "#tests/helpers/retry.ts";
import { bomb } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { openUploadStore, type Upload } from "./files/upload-store.ts";

let testServer: StorageTestServer;
const PIECE = 6 * 1024 * 1024;
const LIMIT = 20_000_000;
const SHARE = 40_000_000;

beforeAll(async () => {
  testServer = await openStorage({ fileSizeLimit: LIMIT, resumableBytesPerPerson: SHARE });
  await testServer.query(
    `insert into storage.buckets (id, name, public, allowed_mime_types) values
       ('closed', 'closed', false, null), ('pictures', 'pictures', false, '{image/png}');
     create policy "Ana adds" on storage.objects for insert to authenticated
       with check (bucket_id = 'closed' and auth.uid()::text like 'a%');`,
  );
});
afterAll(() => testServer.close());

const pieces = () => readdir(join(testServer.folder, "resumable"));
/** Number of bytes of an upload in progress received so far, without a request that would end it. */
const arrivedOf = async (path: string) =>
  (await stat(join(testServer.folder, "resumable", `${path.split("/").at(-1)}.part`))).size;
const forgetNotes = async () => {
  for (const name of await pieces()) {
    expect(name).toMatch(/\.stored$/);
    await rm(join(testServer.folder, "resumable", name));
  }
};
const described = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");

type Ask = { as?: "server" | "Ana" | "Ben" | "visitor"; headers?: Record<string, string>; body?: BodyInit };
const ask = (method: string, path: string, { as = "Ana", headers, body }: Ask = {}) =>
  testServer.request(method, path, {
    as,
    headers: { "tus-resumable": "1.0.0", ...headers },
    ...(body !== undefined && { body }),
  });

async function begin(name: string, length: number, options: Ask & { bucket?: string; type?: string } = {}) {
  const { bucket = "closed", type = "text/plain", ...rest } = options;
  const metadata = described({ bucketName: bucket, objectName: name, contentType: type });
  const answer = await ask("POST", "/upload/resumable", {
    ...rest,
    headers: { "upload-length": String(length), "upload-metadata": metadata },
  });
  return { answer, path: answer.headers.get("location")?.replace("/storage/v1", "") ?? "" };
}

const patch = (path: string, offset: number, body: BodyInit, options: Ask = {}) =>
  ask("PATCH", path, {
    ...options,
    body,
    headers: { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
  });

describe("refused", () => {
  test("is an upload that the caller may not make, that is too long, or whose creation is malformed", async () => {
    expect((await begin("a.txt", 3, { as: "Ben" })).answer.status).toBe(403);
    expect((await begin("a.txt", LIMIT + 1)).answer.status).toBe(413);
    expect((await begin("../a.txt", 3)).answer.status).toBe(400);
    expect((await begin("a.txt", 3, { bucket: "pictures", as: "server" })).answer.status).toBe(415);
    expect((await ask("POST", "/upload/resumable", { headers: { "upload-length": "1" } })).status).toBe(400);
    const old = await testServer.request("POST", "/upload/resumable", { as: "Ana" });
    expect([old.status, old.headers.get("tus-version")]).toEqual([412, "1.0.0"]);
    expect(await pieces()).toEqual([]);
  });

  test("is explained by a body of plain text", async () => {
    const said = async ({ answer }: { answer: Response }) => [
      answer.status,
      answer.headers.get("content-type"),
      await answer.text(),
    ];
    const plain = "text/plain; charset=utf-8";
    expect(await said(await begin("a.txt", 3, { bucket: "none" }))).toEqual([404, plain, "Bucket not found"]);
    expect(await said(await begin("a.txt", LIMIT + 1))).toEqual([413, plain, "Maximum size exceeded\n"]);
    expect(await said(await begin("a\u0001é.txt", 3))).toEqual([400, plain, "Invalid key: a%01%C3%A9.txt"]);
    const signed = async (headers: Record<string, string>) => {
      const metadata = described({ bucketName: "closed", objectName: "a.txt" });
      const all = { "upload-length": "3", "upload-metadata": metadata, ...headers };
      return said({ answer: await ask("POST", "/upload/resumable/sign", { headers: all }) });
    };
    expect(await signed({})).toEqual([400, plain, "Missing x-signature header"]);
    expect(await signed({ "x-signature": "none" })).toEqual([400, plain, "Invalid Compact JWS"]);
  });

  test("is a PATCH of another user's upload, at a wrong offset, of a wrong type, or past the end", async () => {
    const { path } = await begin("mine.txt", 6);
    for (const as of ["Ben", "visitor", "server"] as const) {
      expect((await patch(path, 0, "abc", { as })).status).toBe(404);
      expect((await ask("HEAD", path, { as })).status).toBe(404);
      expect((await ask("DELETE", path, { as })).status).toBe(404);
    }
    expect((await patch(path, 3, "abc")).status).toBe(409);
    expect((await ask("PATCH", path, { body: "abc", headers: { "upload-offset": "0" } })).status).toBe(415);
    expect((await patch(path, 0, "abcdefg")).status).toBe(413);
    expect((await ask("DELETE", path)).status).toBe(204);
    expect((await ask("HEAD", path)).status).toBe(404);
    expect(await pieces()).toEqual([]);
  });

  test("is interrupting another user's upload", async () => {
    const { path } = await begin("steady.txt", 200_000);
    const { promise: othersTried, resolve: goOn } = Promise.withResolvers<void>();
    const slow = new ReadableStream({
      async start(stream) {
        stream.enqueue(Buffer.alloc(100_000, "a"));
        await othersTried;
        stream.enqueue(Buffer.alloc(100_000, "b"));
        stream.close();
      },
    });
    const whole = patch(path, 0, slow);
    await retryUntilPassing(async () => expect(await arrivedOf(path)).toBeGreaterThan(0));
    expect((await patch(path, 0, "x", { as: "Ben" })).status).toBe(404);
    expect((await ask("DELETE", path, { as: "visitor" })).status).toBe(404);
    goOn();
    expect((await whole).status).toBe(204);
    await forgetNotes();
    await testServer.as("server").from("closed").remove(["steady.txt"]);
  });

  test("is exceeding the number of uploads in progress per user, including by signed URLs", async () => {
    const begun = await Promise.all(Array.from({ length: 20 }, (_, index) => begin(`many/${index}`, 6)));
    expect(begun.map(({ answer }) => answer.status)).toEqual(Array(20).fill(201));
    const { answer } = await begin("many/20", 6);
    expect([answer.status, await answer.text()]).toEqual([
      429,
      "Too many of your uploads are under way, please finish some of them first",
    ]);
    const { data } = await testServer.as("Ana").from("closed").createSignedUploadUrl("many/21");
    const metadata = described({ bucketName: "closed", objectName: "many/21" });
    const signed = await testServer.request("POST", "/upload/resumable/sign", {
      as: null,
      headers: {
        "tus-resumable": "1.0.0",
        "x-signature": data?.token ?? "",
        "upload-length": "3",
        "upload-metadata": metadata,
      },
    });
    expect(signed.status).toBe(429);
    expect((await begin("many/22", 6, { as: "server" })).answer.status).toBe(201);
    const torn = join(testServer.folder, "resumable", crypto.randomUUID());
    await Promise.all([writeFile(`${torn}.part`, ""), writeFile(`${torn}.json`, '{"own')]);
    const restarted = await openUploadStore(join(testServer.folder, "resumable"), {
      uploads: 20,
      bytes: LIMIT,
    });
    const known = (await restarted.find(begun[0]?.path.split("/").at(-1) ?? "")) as Upload;
    await expect(restarted.create(known)).rejects.toMatchObject({ statusCode: 429 });
    for (const { path } of begun) await ask("DELETE", path);
    expect((await begin("many/23", 6)).answer.status).toBe(201);
    await Promise.all((await pieces()).map((name) => rm(join(testServer.folder, "resumable", name))));
  });

  test("is exceeding the total size of uploads per user, except for servers", async () => {
    const begun = await Promise.all([1, 2].map((index) => begin(`large/${index}`, SHARE / 2 - 100)));
    const { answer } = await begin("large/3", 201);
    expect([answer.status, await answer.text()]).toEqual([
      429,
      "Too many of your uploads are under way, please finish some of them first",
    ]);
    const own = await begin("large/4", 1, { as: "server" });
    expect(own.answer.status).toBe(201);
    await ask("DELETE", own.path, { as: "server" });
    await ask("DELETE", begun[0]?.path ?? "");
    const next = await begin("large/3", 201);
    expect(next.answer.status).toBe(201);
    for (const upload of [begun[1], next]) await ask("DELETE", upload?.path ?? "");
    expect(await pieces()).toEqual([]);
  });

  test("is content that does not match its declared type, and it leaves nothing behind", async () => {
    const page = "<!doctype html>";
    const asPicture = { bucket: "pictures", as: "server", type: "image/png" } as const;
    const false_ = await begin("page.png", page.length, asPicture);
    expect((await patch(false_.path, 0, page, { as: "server" })).status).toBe(415);
    const large = bomb(30_000, 30_000);
    const bombed = await begin("bomb.png", large.length, asPicture);
    expect((await patch(bombed.path, 0, large as never, { as: "server" })).status).toBe(413);
    expect(await pieces()).toEqual([]);
    expect((await testServer.as("server").from("pictures").list()).data).toEqual([]);
  });

  test("with true statuses and the protocol's headers, but not at other paths that contain its name", async () => {
    const at = async (path: string) => {
      const answer = await ask("GET", path);
      return [answer.status, answer.headers.get("tus-resumable")];
    };
    expect(await at("/upload/resumable/none")).toEqual([404, "1.0.0"]);
    expect(await at("/object/closed/none.txt")).toEqual([400, null]);
    expect(await at("/object/closed/upload/resumable/none.txt")).toEqual([400, null]);
    expect(await at("/object/closed/none.txt?from=/upload/resumable")).toEqual([400, null]);
  });

  test("unless the query names the path for signed URLs, which only the path itself is", async () => {
    const { path } = await begin("named.txt", 3);
    expect((await ask("HEAD", `${path}?from=/upload/resumable/sign`)).status).toBe(200);
    expect((await ask("DELETE", path)).status).toBe(204);
  });

  test("is an expired upload, and the sweeper removes it", async () => {
    const { path } = await begin("late.txt", 6);
    vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000, toFake: ["Date"] });
    expect((await patch(path, 0, "abc")).status).toBe(410);
    vi.useRealTimers();
    await ask("DELETE", path);
  });
});

test("OPTIONS reports the supported protocol", async () => {
  const { status, headers } = await ask("OPTIONS", "/upload/resumable");
  expect([status, headers.get("tus-version"), headers.get("tus-max-size")]).toEqual([
    204,
    "1.0.0",
    String(LIMIT),
  ]);
});

test("the client's chunks become one object, which is invisible until the last one", async () => {
  const content = Buffer.alloc(PIECE * 2 + 1000);
  for (let i = 0; i < content.length; i += 997) content[i] = i % 251;
  const seen: boolean[] = [];
  await uploadByClient(content, "big.bin", async () => {
    seen.push((await testServer.as("server").from("closed").exists("big.bin")).data);
  });
  expect(seen).toEqual([false, false]);
  const { data } = await testServer.as("server").from("closed").download("big.bin");
  expect(Buffer.from((await data?.arrayBuffer()) as ArrayBuffer).equals(content)).toBe(true);
  expect((await testServer.as("server").from("closed").info("big.bin")).data).toMatchObject({
    size: content.length,
    contentType: "application/octet-stream",
    cacheControl: "max-age=60",
    metadata: { from: "tus" },
  });
  await forgetNotes();
});

test("fields that a file does not have count as absent, as Uppy sends them, and metadata that is no object is left out", async () => {
  const stored = async (name: string, more: Record<string, string>) => {
    const metadata = { bucketName: "closed", objectName: name, ...more };
    await uploadByClient(Buffer.from("a"), name, async () => {}, { metadata });
    return (await testServer.as("server").from("closed").info(name)).data;
  };
  const none = { contentType: "undefined", cacheControl: "null", metadata: "undefined" };
  const plain = { contentType: "application/octet-stream", cacheControl: "no-cache", metadata: {} };
  expect(await stored("uppy.bin", none)).toMatchObject(plain);
  for (const metadata of ["{", "[1]", "words"]) {
    expect(await stored("words.bin", { metadata })).toMatchObject(plain);
    await testServer.as("server").from("closed").remove(["words.bin"]);
  }
});

test.each(["PATCH", "HEAD"])(
  "a client that lost the last response to %s learns that the upload is stored",
  async (lost) => {
    const content = Buffer.alloc(PIECE + 1000, "a");
    let losses = 0;
    const methods: string[] = [];
    await uploadByClient(content, `lost-${lost}.bin`, async () => {}, {
      retryDelays: [0, 0, 0],
      onAfterResponse: (request, answer) => {
        const method = request.getMethod();
        methods.push(`${method} ${answer.getStatus()}`);
        const isLast = Number(answer.getHeader("upload-offset")) === content.length;
        if (!isLast || (losses > 0 && method !== lost) || losses > 1) return;
        losses++;
        throw new Error("the connection was lost");
      },
    });
    expect(losses).toBeGreaterThan(0);
    expect(methods.slice(0, 3)).toEqual(["POST 201", "PATCH 204", "PATCH 204"]);
    expect(new Set(methods.slice(3))).toEqual(new Set(["HEAD 200"]));
    const { data } = await testServer.as("server").from("closed").info(`lost-${lost}.bin`);
    expect(data?.size).toBe(content.length);
    await forgetNotes();
  },
);

test("a stored upload stays known to its owner only, is not stored again, and is forgotten in time", async () => {
  const { path } = await begin("known.txt", 3);
  expect((await patch(path, 0, "abc")).status).toBe(204);
  const told = await ask("HEAD", path);
  expect([told.status, told.headers.get("upload-offset"), told.headers.get("upload-length")]).toEqual([
    200,
    "3",
    "3",
  ]);
  expect((await patch(path, 0, "abc")).status).toBe(409);
  const again = await patch(path, 3, "");
  expect([again.status, again.headers.get("upload-offset")]).toEqual([204, "3"]);
  for (const as of ["Ben", "visitor", "server"] as const) {
    expect((await ask("HEAD", path, { as })).status).toBe(404);
  }
  expect((await ask("DELETE", path)).status).toBe(404);
  const reopen = () => openUploadStore(join(testServer.folder, "resumable"), { uploads: 1, bytes: LIMIT });
  // It no longer counts as an upload in progress.
  const id = path.split("/").at(-1) ?? "";
  const restarted = await reopen();
  const known = (await restarted.find(id)) as Upload;
  expect(known).toMatchObject({ isStored: true, offset: 3 });
  await restarted.remove((await restarted.create({ ...known, expiresAt: Date.now() + 1000 })).id);
  vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000, toFake: ["Date"] });
  expect((await ask("HEAD", path)).status).toBe(410);
  await restarted.removeExpired();
  vi.useRealTimers();
  expect(await pieces()).toEqual([]);
});

test("after a disconnect within a chunk the upload continues where it stopped", async () => {
  const { path } = await begin("cut.txt", 300_000);
  const controller = new AbortController();
  // The second third never arrives.
  const slow = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.alloc(100_000, "a")) });
  const cut = fetch(`${testServer.url}/storage/v1${path}`, {
    method: "PATCH",
    headers: {
      apikey: testServer.anonKey,
      authorization: `Bearer ${testServer.keys.Ana}`,
      "tus-resumable": "1.0.0",
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    },
    body: slow,
    duplex: "half",
    signal: controller.signal,
  } as RequestInit);
  await retryUntilPassing(async () => expect(await arrivedOf(path)).toBeGreaterThan(0));
  controller.abort();
  await expect(cut).rejects.toThrow();
  const offset = Number((await ask("HEAD", path)).headers.get("upload-offset"));
  expect(offset).toBeGreaterThan(0);
  expect(offset).toBeLessThan(300_000);
  expect((await patch(path, offset, "b".repeat(300_000 - offset))).status).toBe(204);
  await forgetNotes();
  const text = await (await testServer.as("server").from("closed").download("cut.txt")).data?.text();
  expect(text).toBe("a".repeat(offset) + "b".repeat(300_000 - offset));
});

test("a signed URL also allows a resumable upload", async () => {
  const { data } = await testServer.as("Ana").from("closed").createSignedUploadUrl("signed.txt");
  const metadata = described({ bucketName: "closed", objectName: "signed.txt" });
  const headers = { "x-signature": data?.token ?? "", "tus-resumable": "1.0.0" };
  const begun = await testServer.request("POST", "/upload/resumable/sign", {
    as: null,
    headers: { ...headers, "upload-length": "3", "upload-metadata": metadata },
  });
  const path = begun.headers.get("location")?.replace("/storage/v1", "") ?? "";
  const piece = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const unsigned = await testServer.request("PATCH", path, {
    as: null,
    headers: { "tus-resumable": "1.0.0", ...piece },
    body: "abc",
  });
  expect(unsigned.status).toBe(400);
  expect(
    (await testServer.request("PATCH", path, { as: null, headers: { ...headers, ...piece }, body: "abc" }))
      .status,
  ).toBe(204);
  const [row] = await testServer.query("select owner_id from storage.objects where name = 'signed.txt'");
  expect(row?.owner_id).toMatch(/^a0000000/);
});

function uploadByClient(
  content: Buffer,
  objectName: string,
  onPiece: () => Promise<void>,
  options: Partial<UploadOptions> = {},
): Promise<void> {
  const between: Promise<void>[] = [];
  return new Promise<void>((resolve, reject) => {
    const upload: ClientUpload = new ClientUpload(content, {
      endpoint: `${testServer.url}/storage/v1/upload/resumable`,
      chunkSize: PIECE,
      retryDelays: [],
      uploadDataDuringCreation: false,
      removeFingerprintOnSuccess: true,
      headers: { authorization: `Bearer ${testServer.keys.Ana}` },
      metadata: {
        bucketName: "closed",
        objectName,
        contentType: "application/octet-stream",
        cacheControl: "60",
        metadata: JSON.stringify({ from: "tus" }),
      },
      onChunkComplete: (_size, accepted, total) => {
        if (accepted < (total ?? 0)) between.push(onPiece());
      },
      onError: reject,
      ...options,
      onSuccess: () => resolve(),
    });
    upload.start();
  }).then(async () => void (await Promise.all(between)));
}
