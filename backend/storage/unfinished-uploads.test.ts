import { copyFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Upload as ClientUpload } from "tus-js-client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { type AnnouncedUpload, openUploadStore, type UploadStore } from "./files/upload-store.ts";

let testServer: StorageTestServer;

beforeAll(async () => {
  const images = { workers: 0, waiting: 0, maxPixels: 1000, cacheBytes: 0 };
  testServer = await openStorage({ images });
  await testServer.query(
    `insert into storage.buckets (id, name, allowed_mime_types) values
       ('closed', 'closed', null), ('pictures', 'pictures', '{image/png}');
     create function public.give_up() returns trigger language plpgsql as
       $$ begin raise 'too slow' using errcode = '57014'; end $$;`,
  );
});
afterEach(async () => {
  await letThrough();
  await Promise.all((await pieces()).map((name) => rm(join(folder(), name))));
});
afterAll(() => testServer.close());

const folder = () => join(testServer.folder, "resumable");
const pieces = () => readdir(folder());
/** Makes the database fail as long as objects are written. */
const failToStore = () =>
  testServer.query(
    "create trigger give_up before insert on storage.objects for each row when (new.metadata ->> 'eTag' <> '\"\"') execute function public.give_up()",
  );
const letThrough = () => testServer.query("drop trigger if exists give_up on storage.objects");
const textOf = async (name: string) =>
  (await testServer.as("server").from("closed").download(name)).data?.text();

const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) =>
  testServer.request(method, path, {
    as: "server",
    headers: { "tus-resumable": "1.0.0", ...headers },
    ...(body !== undefined && { body }),
  });
const chunk = { "content-type": "application/offset+octet-stream" };

async function begin(name: string, length: number, { bucket = "closed", type = "text/plain" } = {}) {
  const described = Object.entries({ bucketName: bucket, objectName: name, contentType: type });
  const answer = await ask("POST", "/upload/resumable", {
    "upload-length": String(length),
    "upload-metadata": described.map(([field, value]) => `${field} ${btoa(value)}`).join(","),
  });
  return answer.headers.get("location")?.replace("/storage/v1", "") ?? "";
}

const patch = async (path: string, offset: number, body: BodyInit) =>
  (await ask("PATCH", path, { ...chunk, "upload-offset": String(offset) }, body)).status;
const offsetOf = async (path: string) => (await ask("HEAD", path)).headers.get("upload-offset");

test("a client goes on at the end of an upload that the database failed to store", async () => {
  const answers: string[] = [];
  await failToStore();
  await new Promise<void>((resolve, reject) =>
    new ClientUpload(Buffer.from("abcdef"), {
      endpoint: `${testServer.url}/storage/v1/upload/resumable`,
      chunkSize: 3,
      retryDelays: [0, 0],
      uploadDataDuringCreation: false,
      headers: { authorization: `Bearer ${testServer.keys.server}`, apikey: testServer.anonKey },
      metadata: { bucketName: "closed", objectName: "retried.txt" },
      onAfterResponse: async (request, answer) => {
        answers.push(`${request.getMethod()} ${answer.getStatus()}`);
        if (answer.getStatus() === 544) await letThrough();
      },
      onError: reject,
      onSuccess: () => resolve(),
    }).start(),
  );
  expect(answers).toEqual(["POST 201", "PATCH 204", "PATCH 544", "HEAD 200", "PATCH 204"]);
  expect(await textOf("retried.txt")).toBe("abcdef");
  expect(await testServer.incoming()).toEqual([]);
  expect(await pieces()).toEqual([expect.stringMatching(/\.stored$/)]);
});

test("an upload is kept while too many pictures are being worked on", async () => {
  const content = await picture("png");
  const path = await begin("a.png", content.length, { bucket: "pictures", type: "image/png" });
  expect(await patch(path, 0, content as never)).toBe(429);
  const offset = content.length - 1;
  expect(await offsetOf(path)).toBe(String(offset));
  expect(await patch(path, offset, content.subarray(offset) as never)).toBe(429);
});

test("an upload that was stored right before the process was killed is not stored again", async () => {
  const path = await begin("told.txt", 3);
  const state = join(folder(), `${path.split("/").at(-1)}`);
  await copyFile(`${state}.json`, `${state}.copy`);
  expect(await patch(path, 0, "abc")).toBe(204);
  const before = await testServer.files();
  await rm(`${state}.stored`);
  await copyFile(`${state}.copy`, `${state}.json`);
  await writeFile(`${state}.part`, "abc");
  await testServer.as("server").from("closed").move("told.txt", "moved.txt");
  expect(await offsetOf(path)).toBe("2");
  expect(await patch(path, 2, "c")).toBe(204);
  expect(await offsetOf(path)).toBe("3");
  expect(await testServer.files()).toEqual(before);
  expect([await textOf("moved.txt"), await textOf("told.txt")]).toEqual(["abc", undefined]);
});

test("a name that another upload took meanwhile is refused for good", async () => {
  const path = await begin("taken.txt", 3);
  await testServer.as("server").from("closed").upload("taken.txt", "first");
  expect(await patch(path, 0, "abc")).toBe(409);
  expect([(await ask("HEAD", path)).status, await pieces()]).toEqual([404, []]);
  expect(await textOf("taken.txt")).toBe("first");
});

test("a creation that fails leaves nothing behind: its client does not know the upload", async () => {
  await failToStore();
  const metadata = `bucketName ${btoa("closed")},objectName ${btoa("unknown.txt")}`;
  const headers = { ...chunk, "upload-length": "3", "upload-metadata": metadata };
  expect((await ask("POST", "/upload/resumable", headers, "abc")).status).toBe(544);
  expect(await pieces()).toEqual([]);
});

test("an upload that another process stored no longer counts as its owner's", async () => {
  const group = { ...SINGLE_PROCESS, size: 2 };
  const [one, other] = (await Promise.all(
    [1, 2].map(() => openUploadStore(folder(), { uploads: 1, bytes: 10 }, group)),
  )) as [UploadStore, UploadStore];
  const announced: AnnouncedUpload = {
    bucket: "closed",
    name: "shared.txt",
    length: 3,
    upsert: false,
    mimetype: "text/plain",
    cacheControl: "no-cache",
    userMetadata: null,
    role: "authenticated",
    owner: "Ana",
    signed: false,
    expiresAt: Date.now() + 60_000,
  };
  const upload = await one.create(announced);
  await expect(other.create(announced)).rejects.toMatchObject({ statusCode: 429 });
  await other.noteStored(upload);
  await one.create(announced);
});
