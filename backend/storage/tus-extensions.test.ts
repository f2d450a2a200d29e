import { createHash, randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Upload as ClientUpload, type UploadOptions } from "tus-js-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const LIMIT = 1_000_000;
let testServer: StorageTestServer;

beforeAll(async () => {
  testServer = await openStorage({ fileSizeLimit: LIMIT });
  await testServer.query(
    `insert into storage.buckets (id, name) values ('closed', 'closed');
     create policy "Ana adds" on storage.objects for insert to authenticated
       with check (bucket_id = 'closed' and auth.uid()::text like 'a%');`,
  );
});
afterAll(() => testServer.close());

const files = () => testServer.as("server").from("closed");
const bytesOf = async (name: string) =>
  Buffer.from((await (await files().download(name)).data?.arrayBuffer()) ?? new ArrayBuffer());
const metadata = (name: string) => `bucketName ${btoa("closed")},objectName ${btoa(name)}`;
type Ask = { as?: "Ana" | "Ben"; headers?: Record<string, string>; body?: BodyInit };
const ask = (method: string, path: string, { as = "Ana", headers, body }: Ask = {}) =>
  testServer.request(method, path, {
    as,
    headers: { "tus-resumable": "1.0.0", ...headers },
    ...(body !== undefined && { body }),
  });

async function begin(name: string, headers: Record<string, string>, options: Ask = {}) {
  const all = { "upload-metadata": metadata(name), ...headers };
  const answer = await ask("POST", "/upload/resumable", { ...options, headers: all });
  return { answer, path: answer.headers.get("location")?.replace("/storage/v1", "") ?? "" };
}

const patch = (path: string, offset: number, body: BodyInit, headers: Record<string, string> = {}) =>
  ask("PATCH", path, {
    body,
    headers: {
      "upload-offset": String(offset),
      "content-type": "application/offset+octet-stream",
      ...headers,
    },
  });
const sumOf = (algorithm: string, text: string) => createHash(algorithm).update(text).digest("base64");

function byClient(
  file: UploadOptions extends never ? never : Buffer | Readable,
  options: Partial<UploadOptions>,
) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { authorization: `Bearer ${testServer.keys.Ana}` };
  new ClientUpload(file as never, {
    endpoint: `${testServer.url}/storage/v1/upload/resumable`,
    headers,
    retryDelays: null,
    onSuccess: () => resolve(),
    onError: reject,
    ...options,
  }).start();
  return promise;
}

test("the advertised extensions are those that work", async () => {
  const { headers } = await ask("OPTIONS", "/upload/resumable");
  expect(headers.get("tus-extension")?.split(",").sort()).toEqual([
    "checksum",
    "concatenation",
    "creation",
    "creation-defer-length",
    "creation-with-upload",
    "expiration",
    "termination",
  ]);
  expect(headers.get("tus-checksum-algorithm")).toBe("sha1,sha256,md5");
});

test("a deferred length may be sent later, once, and within the limit", async () => {
  const { path } = await begin("later", { "upload-defer-length": "1" });
  expect((await patch(path, 0, "abc")).status).toBe(204);
  const head = await ask("HEAD", path);
  expect([head.headers.get("upload-defer-length"), head.headers.get("upload-length")]).toEqual(["1", null]);
  expect(head.headers.get("upload-metadata")).toBe(metadata("later"));
  expect((await patch(path, 3, "d", { "upload-length": "2" })).status).toBe(400);
  expect((await patch(path, 3, "d", { "upload-length": String(LIMIT + 1) })).status).toBe(413);
  expect((await patch(path, 3, "d", { "upload-length": "6" })).status).toBe(204);
  expect((await ask("HEAD", path)).headers.get("upload-length")).toBe("6");
  expect((await patch(path, 4, "ef")).status).toBe(204);
  expect(String(await bytesOf("later"))).toBe("abcdef");
  expect((await begin("none", {})).answer.status).toBe(400);
});

test("a chunk with a wrong checksum leaves nothing behind", async () => {
  const { path } = await begin("sums", { "upload-length": "9" });
  for (const [offset, algorithm] of ["sha1", "sha256", "md5"].entries()) {
    const text = "abc";
    const wrong = await patch(path, offset * 3, text, {
      "upload-checksum": `${algorithm} ${sumOf(algorithm, "abd")}`,
    });
    expect([wrong.status, await wrong.text()]).toEqual([
      460,
      "The piece does not have the checksum that came with it",
    ]);
    expect((await ask("HEAD", path)).headers.get("upload-offset")).toBe(String(offset * 3));
    const right = await patch(path, offset * 3, text, {
      "upload-checksum": `${algorithm} ${sumOf(algorithm, text)}`,
    });
    expect(right.status).toBe(204);
  }
  expect(String(await bytesOf("sums"))).toBe("abcabcabc");
  const other = await begin("sums2", { "upload-length": "3" });
  expect((await patch(other.path, 0, "abc", { "upload-checksum": "crc32 AAAA" })).status).toBe(400);
  expect(await testServer.incoming()).toEqual([]);
  await ask("DELETE", other.path);
});

test("parts become one object, for the user who sent them and may create it", async () => {
  const one = await begin("joined", { "upload-concat": "partial", "upload-length": "3" });
  const two = await begin("joined", { "upload-concat": "partial", "upload-length": "2" });
  expect((await patch(one.path, 0, "abc")).status).toBe(204);
  const concat = `final;/storage/v1${one.path} ${testServer.url}/storage/v1${two.path}`;
  const early = await begin("joined", { "upload-concat": concat });
  expect(early.answer.status).toBe(400);
  await patch(two.path, 0, "de");
  expect((await ask("HEAD", one.path)).headers.get("upload-concat")).toBe("partial");
  expect((await files().exists("joined")).data).toBe(false);
  expect((await begin("joined", { "upload-concat": concat }, { as: "Ben" })).answer.status).toBe(404);
  const { answer, path } = await begin("joined", { "upload-concat": concat });
  expect(answer.status).toBe(201);
  expect(String(await bytesOf("joined"))).toBe("abcde");
  const head = await ask("HEAD", path);
  expect([head.headers.get("upload-concat"), head.headers.get("upload-length")]).toEqual([concat, "5"]);
  expect((await patch(path, 5, "")).status).toBe(403);
  expect((await ask("HEAD", one.path)).status).toBe(404);
  expect(
    (await begin("x", { "upload-concat": "partial", "upload-length": "1" }, { as: "Ben" })).answer.status,
  ).toBe(403);
});

test("the official client uploads without a length, sends parts in parallel, and can do with POST", async () => {
  const content = randomBytes(300_000);
  const names = (objectName: string) => ({ bucketName: "closed", objectName });
  const stream = Readable.from([content.subarray(0, 100_000), content.subarray(100_000)]);
  await byClient(stream, { uploadLengthDeferred: true, chunkSize: 70_000, metadata: names("stream") });
  expect((await bytesOf("stream")).equals(content)).toBe(true);
  const parts = { parallelUploads: 3, metadataForPartialUploads: names("parallel") };
  await byClient(content, { ...parts, metadata: names("parallel") });
  expect((await bytesOf("parallel")).equals(content)).toBe(true);
  const posted = { overridePatchMethod: true, chunkSize: 100_000, metadata: names("posted") };
  await byClient(content, posted);
  expect((await bytesOf("posted")).equals(content)).toBe(true);
  const left = await readdir(join(testServer.folder, "resumable"));
  expect(left.filter((name) => !name.endsWith(".stored"))).toEqual([]);
});
