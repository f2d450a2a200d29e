import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "#tests/helpers/listen.ts";
import { openFiles } from "#tests/helpers/storage/open-files.ts";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { createS3Store } from "./files/s3-store.ts";

const BUCKET = "harbor";

let server: S3rver;
let folder: string;
let client: S3Client;
let testServer: StorageTestServer;
const files = () => testServer.as("server").from("closed");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "s3-"));
  const buckets = { directory: folder, configureBuckets: [{ name: BUCKET }] };
  // The server computes the signature of a listing differently than AWS does.
  const lenient = { allowMismatchedSignatures: true };
  server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, ...buckets, ...lenient });
  const endpoint = `http://127.0.0.1:${(await server.run()).port}`;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" });
  client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true });
  testServer = await openStorage({ store: createS3Store({ bucket: BUCKET, region: "us-east-1", endpoint }) });
  await testServer.query("insert into storage.buckets (id, name, public) values ('closed', 'closed', false)");
});
afterAll(async () => {
  await testServer.close();
  client.destroy();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function stored(): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  return Contents.map(({ Key }) => Key as string);
}

test("files are stored in the bucket only: read whole or as ranges, copied, replaced and removed", async () => {
  const content = Buffer.alloc(3_000_000, "tide ");
  expect((await files().upload("tide.txt", content, { contentType: "text/plain" })).error).toBe(null);
  const [row] = await testServer.query("select version from storage.objects");
  expect(await stored()).toEqual([`objects/${row?.version}`]);
  expect(await testServer.incoming()).toEqual([]);
  const { data } = await files().download("tide.txt");
  expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(content)).toBe(true);
  const part = await testServer.request("GET", "/object/closed/tide.txt", {
    as: "server",
    headers: { range: "bytes=5-8" },
  });
  expect([part.status, await part.text()]).toEqual([206, "tide"]);
  expect((await files().copy("tide.txt", "copy.txt")).error).toBe(null);
  expect((await files().move("copy.txt", "moved.txt")).error).toBe(null);
  expect((await files().update("tide.txt", "ebb")).error).toBe(null);
  expect((await (await files().download("moved.txt")).data)?.size).toBe(content.length);
  await expect.poll(stored).toHaveLength(2);
  await files().remove(["tide.txt", "moved.txt"]);
  await expect.poll(stored).toEqual([]);
});

test("pictures are rendered from the bucket", async () => {
  await files().upload("photo.png", await picture("png", 100, 100), { contentType: "image/png" });
  const { data } = await files().download("photo.png", { transform: { width: 40 } });
  expect((await sharp(await (data as Blob).arrayBuffer()).metadata()).width).toBe(40);
  await files().remove(["photo.png"]);
});

test.each([
  ["is not there", async () => ({ port: 1, close: () => {} }), "ECONNREFUSED"],
  ["says nothing", listenInSilence, "TimeoutError"],
])("a bucket that %s causes a reported error and leaves nothing behind", async (_, begin, cause) => {
  const { port, close } = await begin();
  const endpoint = `http://127.0.0.1:${port}`;
  const lost = createS3Store({ bucket: "nope", region: "us-east-1", endpoint, patience: 200 });
  const broken = await openStorage({ store: lost });
  try {
    await broken.query("insert into storage.buckets (id, name) values ('closed', 'closed')");
    const { error } = await broken.as("server").from("closed").upload("a.txt", "a");
    expect(error).toMatchObject({ status: 500, message: "Internal server error" });
    expect(await broken.query("select from storage.objects")).toEqual([]);
    expect(await readdir(join(broken.folder, "incoming"))).toEqual([]);
    expect(broken.logged.join()).toContain(cause);
    expect(await openFiles(broken.folder)).toEqual([]);
  } finally {
    await broken.close();
    close();
  }
});

test("a file that cannot be read is refused, and the process goes on", async () => {
  const { url, close } = await listen(createHttpServer((request) => void request.resume()));
  const store = createS3Store({ bucket: BUCKET, region: "us-east-1", endpoint: url });
  await expect(store.adopt(folder, "folder")).rejects.toMatchObject({ code: "EISDIR" });
  await store.close();
  await close();
});

async function listenInSilence() {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const sockets = new Set<Socket>();
  silent.on("connection", (socket) => sockets.add(socket));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  };
  return { port: (silent.address() as AddressInfo).port, close };
}
