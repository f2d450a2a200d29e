import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { CreateMultipartUploadCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { atScale } from "#tests/helpers/at-scale.ts";
import { serveApart, sweepEverything } from "#tests/helpers/storage/killed-storage.ts";
import { ownersClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const MIB = 1024 * 1024;
const UPLOADS = atScale(20, 200);
const SLOW_READERS = atScale(60, 300);
let testServer: StorageTestServer;

vi.setConfig({ testTimeout: atScale(90_000, 600_000) });

beforeAll(async () => {
  testServer = await openStorage();
  await testServer.query(
    `insert into storage.buckets (id, name) values ('closed', 'closed');
     create policy "Ana adds" on storage.objects for insert to authenticated with check (bucket_id = 'closed');`,
  );
});
afterAll(() => testServer.close());

test(`a kill during ${UPLOADS} uploads by every API leaves nothing partially visible, and nothing forever`, async () => {
  const { process: child, url } = await serveApart(testServer);
  const headers = { authorization: `Bearer ${testServer.keys.server}` };
  const finished = new Map<string, Buffer>();
  // `fetch` keeps reading the body it sends, even if the server is gone.
  let isKilled = false;
  const whole = Array.from({ length: UPLOADS * 0.5 }, async (_, index) => {
    for (let turn = 0; ; turn++) {
      const content = randomBytes(40_000);
      const name = `whole/${index}-${turn}`;
      const answer = await fetch(`${url}/storage/v1/object/closed/${name}`, {
        method: "POST",
        headers,
        body: content,
      });
      if (answer.ok) finished.set(name, content);
    }
  });
  const endless = Array.from({ length: UPLOADS * 0.3 }, (_, index) => {
    const body = new ReadableStream({ pull: (stream) => (isKilled ? stream.close() : trickle(stream)) });
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    return fetch(`${url}/storage/v1/object/closed/half/${index}`, init);
  });
  const client = ownersClient({ url });
  const parts = Array.from({ length: UPLOADS * 0.2 }, async (_, index) => {
    const place = { Bucket: "closed", Key: `parts/${index}` };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
    for (let PartNumber = 1; ; PartNumber++) {
      await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body: randomBytes(50_000) }));
    }
  });
  const all = Promise.allSettled([...whole, ...endless, ...parts]);
  await expect.poll(() => finished.size, { timeout: 30_000 }).toBeGreaterThan(UPLOADS / 2);
  await expect.poll(() => countParts(), { timeout: 30_000 }).toBeGreaterThan(UPLOADS / 5);
  child.kill("SIGKILL");
  isKilled = true;
  await Promise.all([once(child, "exit"), all]);
  client.destroy();

  const rows = await testServer.query("select name, version, metadata->>'eTag' as etag from storage.objects");
  for (const { version, etag, name } of rows) {
    expect(name).not.toMatch(/^half|^parts/);
    expect(`"${md5(await contentOf(String(version)))}"`).toBe(etag);
  }
  for (const [name, content] of finished)
    expect(rows.find((row) => row.name === name)?.etag).toBe(`"${md5(content)}"`);
  await testServer.query("update storage.s3_multipart_uploads set created_at = now() - interval '2 days'");
  await sweepEverything(testServer);
  expect((await testServer.files()).sort()).toEqual(rows.map(({ version }) => String(version)).sort());
  expect(await testServer.incoming()).toEqual([]);
  expect(await countParts()).toBe(0);
});

test("stalled readers cost no memory and delay nobody", async () => {
  const { process: child, url } = await serveApart(testServer);
  const headers = { authorization: `Bearer ${testServer.keys.server}` };
  const address = `${url}/storage/v1/object/closed`;
  const content = randomBytes(20 * MIB);
  await fetch(`${address}/large`, { method: "POST", headers, body: content });
  await fetch(`${address}/small`, { method: "POST", headers, body: "small" });
  const before = await memoryOf(child);
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    Array.from({ length: SLOW_READERS }, async () => {
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET /storage/v1/object/closed/large HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n\r\n`,
      );
      await once(socket, "readable");
      return socket;
    }),
  );
  for (let turn = 0; turn < 20; turn++) {
    const answer = await fetch(`${address}/small`, { headers });
    expect(await answer.text()).toBe("small");
  }
  const whole = await (await fetch(`${address}/large`, { headers })).arrayBuffer();
  expect(md5(Buffer.from(whole))).toBe(md5(content));
  // The files of the 60 readers total 1,200 MiB.
  expect((await memoryOf(child)) - before).toBeLessThan(150);
  expect(await openFiles(child)).toBeGreaterThan(SLOW_READERS * 0.8);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => openFiles(child)).toBe(0);
  child.kill("SIGKILL");
  await once(child, "exit");
});

test("a policy revoked while a body arrives is enforced when it has arrived", async () => {
  const { hostname, port } = new URL(testServer.url);
  const sockets = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /storage/v1/object/closed/taken/${index} HTTP/1.1\r\nhost: x\r\napikey: ${testServer.anonKey}\r\n` +
          `authorization: Bearer ${testServer.keys.Ana}\r\ncontent-length: 6\r\nconnection: close\r\n\r\nabc`,
      );
      return socket;
    }),
  );
  await expect.poll(() => testServer.incoming()).toHaveLength(8);
  await testServer.query('drop policy "Ana adds" on storage.objects');
  const files = await testServer.files();
  for (const answer of await Promise.all(sockets.map((socket) => finish(socket, "def")))) {
    expect(answer).toContain('"statusCode":"403"');
  }
  expect(await testServer.query("select from storage.objects where name like 'taken/%'")).toEqual([]);
  expect(await testServer.incoming()).toEqual([]);
  expect(await testServer.files()).toEqual(files);
});

async function finish(socket: Socket, rest: string): Promise<string> {
  socket.write(rest);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

async function trickle(controller: ReadableStreamDefaultController): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  controller.enqueue(randomBytes(10_000));
}

const md5 = (bytes: Buffer) => createHash("md5").update(bytes).digest("hex");
const contentOf = (version: string) =>
  readFile(join(testServer.folder, "files", version.slice(0, 2), version));
const countParts = async () =>
  (await testServer.query("select from storage.s3_multipart_uploads_parts")).length;

/** In MiB. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Number of stored files that the process has open. */
async function openFiles({ pid }: ChildProcess): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder);
  const targets = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => "")));
  return targets.filter((target) => target.startsWith(join(testServer.folder, "files"))).length;
}
