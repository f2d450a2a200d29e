import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveApart, sweepEverything } from "#tests/helpers/storage/killed-storage.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const ROUNDS = 3;
let testServer: StorageTestServer;

beforeAll(async () => {
  testServer = await openStorage();
  await testServer.query("insert into storage.buckets (id, name) values ('closed', 'closed')");
});
afterAll(() => testServer.close());

test("whenever the process is killed, each object has its complete file, and the sweeper removes all others", async () => {
  const confirmed = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) await writeUntilKilled(round, confirmed);
  const rows = await testServer.query("select name, version, metadata->>'eTag' as etag from storage.objects");
  expect(rows.length).toBeGreaterThanOrEqual(ROUNDS);
  for (const { version, etag } of rows) expect(`"${await md5Of(String(version))}"`).toBe(etag);
  for (const [name, etag] of confirmed) expect(rows.find((row) => row.name === name)?.etag, name).toBe(etag);
  const versions = rows.map(({ version }) => String(version)).sort();
  expect((await testServer.files()).length).toBeGreaterThanOrEqual(versions.length);

  await addLeftOvers();
  await sweepEverything(testServer);
  expect((await testServer.files()).sort()).toEqual(versions);
  expect(await testServer.incoming()).toEqual([]);
}, 180_000);

test("a resumable upload continues where a killed process stopped", async () => {
  const content = randomBytes(300_000);
  const pieceHeaders = { "tus-resumable": "1.0.0", authorization: `Bearer ${testServer.keys.server}` };
  const metadata = `bucketName ${btoa("closed")},objectName ${btoa("resumed")}`;
  const first = await serve();
  const begun = await fetch(`${first.url}/storage/v1/upload/resumable`, {
    method: "POST",
    headers: { ...pieceHeaders, "upload-length": "300000", "upload-metadata": metadata },
  });
  const path = begun.headers.get("location") ?? "";
  const send = (url: string, from: number, to: number) =>
    fetch(url + path, {
      method: "PATCH",
      headers: {
        ...pieceHeaders,
        "upload-offset": String(from),
        "content-type": "application/offset+octet-stream",
      },
      body: content.subarray(from, to),
    });
  expect((await send(first.url, 0, 200_000)).status).toBe(204);
  first.process.kill("SIGKILL");
  await once(first.process, "exit");
  const second = await serve();
  const told = await fetch(second.url + path, { method: "HEAD", headers: pieceHeaders });
  expect(told.headers.get("upload-offset")).toBe("200000");
  expect((await send(second.url, 200_000, 300_000)).status).toBe(204);
  const { data } = await second.files.download("resumed");
  expect(Buffer.from((await data?.arrayBuffer()) as ArrayBuffer).equals(content)).toBe(true);
  await second.files.remove(["resumed"]);
  second.process.kill("SIGKILL");
  await once(second.process, "exit");
});

test("the next start removes uploads that cannot be resumed and keeps those that can", async () => {
  const server = await serve();
  const headers = { authorization: `Bearer ${testServer.keys.server}` };
  const slow = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.alloc(100_000)) });
  const cut = fetch(`${server.url}/storage/v1/object/closed/slow`, {
    method: "POST",
    headers: { ...headers, "content-type": "text/plain" },
    body: slow,
    duplex: "half",
  } as RequestInit).catch(() => null);
  const begun = await fetch(`${server.url}/storage/v1/upload/resumable`, {
    method: "POST",
    headers: {
      ...headers,
      "tus-resumable": "1.0.0",
      "upload-length": "9",
      "upload-metadata": `bucketName ${btoa("closed")},objectName ${btoa("later")}`,
    },
  });
  await expect.poll(() => testServer.incoming()).toHaveLength(1);
  const pieces = () => readdir(join(testServer.folder, "resumable"));
  const resumable = await pieces();
  server.process.kill("SIGKILL");
  await Promise.all([once(server.process, "exit"), cut]);
  expect(await testServer.incoming()).toHaveLength(1);
  const next = await serve();
  expect(await testServer.incoming()).toEqual([]);
  expect(await pieces()).toEqual(resumable);
  const path = begun.headers.get("location") ?? "";
  const ended = await fetch(next.url + path, {
    method: "DELETE",
    headers: { ...headers, "tus-resumable": "1.0.0" },
  });
  expect(ended.status).toBe(204);
  next.process.kill("SIGKILL");
  await once(next.process, "exit");
});

test("a database that knows hardly any of the files is assumed to be the wrong one", async () => {
  const shelf = join(testServer.folder, "files", "zz");
  await mkdir(shelf, { recursive: true });
  const names = Array.from({ length: 200 }, (_, index) => `zz-${index}`);
  await Promise.all(names.map((name) => writeFile(join(shelf, name), "")));
  const logged = await sweepEverything(testServer);
  expect(logged.join()).toContain("belong to no object of this database");
  expect(await readdir(shelf)).toHaveLength(200);
  await rm(shelf, { recursive: true });
});

/** Adds, replaces and removes objects concurrently until the process is gone. */
async function writeUntilKilled(round: number, confirmed: Map<string, string>): Promise<void> {
  const { process: server, files } = await serve();
  // In the middle of work: some time after the first write has been confirmed.
  let isDoomed = false;
  const killSoon = () => {
    if (!isDoomed) setTimeout(() => server.kill("SIGKILL"), Math.random() * 400);
    isDoomed = true;
  };
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let turn = 0; server.exitCode === null && server.signalCode === null; turn++) {
      const name = turn % 3 === 0 ? `kept/${round}-${writer}-${turn}` : `shared/${writer}`;
      const content = randomBytes(50_000 + writer * 40_000);
      confirmed.delete(name);
      const { error } = await files.upload(name, content, { upsert: true });
      if (!error) killSoon();
      if (!error) confirmed.set(name, `"${createHash("md5").update(content).digest("hex")}"`);
      if (turn % 4 === 3) await files.remove([`gone/${writer}`]);
      else if (turn % 4 === 1) await files.upload(`gone/${writer}`, content, { upsert: true });
    }
  });
  await Promise.all(writers);
}

async function serve() {
  const { process, url } = await serveApart(testServer);
  const client: SupabaseClient = createClient(url, testServer.keys.server);
  return { process, url, files: client.storage.from("closed") };
}

async function md5Of(version: string): Promise<string> {
  const bytes = await readFile(join(testServer.folder, "files", version.slice(0, 2), version));
  return createHash("md5").update(bytes).digest("hex");
}

/** What a crash may leave behind at each step: a partial body, and a file whose row was not written. */
async function addLeftOvers(): Promise<void> {
  const half = join(testServer.folder, "incoming", "half");
  await writeFile(half, "half");
  await mkdir(join(testServer.folder, "files", "or"), { recursive: true });
  await writeFile(join(testServer.folder, "files", "or", "orphan"), "no row");
  const longAgo = new Date(Date.now() - 7 * 24 * 3_600_000);
  for (const name of await testServer.incoming()) {
    await utimes(join(testServer.folder, "incoming", name), longAgo, longAgo);
  }
}
