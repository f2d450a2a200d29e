import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toFetch } from "#backend/http/to-fetch.ts";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import { jwtSecret, openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { createStorage, type Storage } from "./create-storage.ts";
import { createDiskStore } from "./files/disk-store.ts";
import { holdSmallFiles, LARGEST_HELD } from "./files/held-files.ts";
import { findPublicObject } from "./objects/public-objects.ts";

let testServer: StorageTestServer;
/** Another process on the same database and folder. */
let other: Storage;
let database: Database;
const files = () => testServer.as("server").from("open");

beforeAll(async () => {
  testServer = await openStorage();
  const { folder, databaseUrls } = testServer;
  database = connectDatabase({ url: databaseUrls.authenticator, max: 1 });
  other = await createStorage({
    database,
    verifier: createTokenVerifier({ secret: jwtSecret }),
    store: createDiskStore(join(folder, "files")),
    workFolder: folder,
    secret: jwtSecret,
    log: () => {},
  });
  await testServer.query(
    "insert into storage.buckets (id, name, public) values ('open', 'open', true), ('closed', 'closed', false)",
  );
});
afterAll(async () => {
  await other.close();
  await database.close();
  await testServer.close();
});

const put = (name: string, content: string) => files().upload(name, content, { upsert: true });

/** What both processes answer: the content, or the error's code. */
async function read(path: string, headers: Record<string, string> = {}): Promise<string[]> {
  const url = `/object/public/${path}`;
  const answers = [
    await testServer.request("GET", url, { as: null, headers }),
    await toFetch(other)(new Request(`http://localhost/storage/v1${url}`, { headers })),
  ];
  return Promise.all(
    answers.map(async (answer) =>
      answer.ok ? answer.text() : `${answer.status} ${((await answer.json()) as { code: string }).code}`,
    ),
  );
}

test("a file that was replaced, removed or made private shows as that at once in every process", async () => {
  await put("fruit.txt", "first");
  expect(await read("open/fruit.txt")).toEqual(["first", "first"]);
  await put("fruit.txt", "second");
  expect(await read("open/fruit.txt")).toEqual(["second", "second"]);
  expect(await read("open/fruit.txt", { range: "bytes=1-3" })).toEqual(["eco", "eco"]);
  await testServer.as("server").updateBucket("open", { public: false });
  expect(await read("open/fruit.txt")).toEqual(["400 NoSuchBucket", "400 NoSuchBucket"]);
  await testServer.as("server").updateBucket("open", { public: true });
  expect(await read("open/fruit.txt")).toEqual(["second", "second"]);
  await files().remove(["fruit.txt"]);
  expect(await read("open/fruit.txt")).toEqual(["400 NoSuchKey", "400 NoSuchKey"]);
});

test("requests that arrive at once share round trips, and each gets its own object", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `at once/${n}`);
  await testServer.query(
    "insert into storage.objects (bucket_id, name, version) select 'open', name, name from unnest($1::text[]) name",
    [names],
  );
  let trips = 0;
  const batch: Database["batch"] = (...steps) => {
    trips++;
    return database.batch(...steps);
  };
  const counted = { database: { ...database, batch } };
  const outcome = (bucket: string, name: string) =>
    findPublicObject(counted, bucket, name, null).then(
      ({ version }) => version,
      ({ code }) => code,
    );
  const asked = [...names, ...names].map((name) => outcome("open", name));
  const refused = [
    outcome("open", "none"),
    outcome("closed", "none"),
    outcome("none", "none"),
    outcome("a\0", "none"),
    // The same address as that of the first, if a bucket could be named so.
    outcome("open/at once", "0"),
  ];
  expect(await Promise.all(asked)).toEqual([...names, ...names]);
  expect(await Promise.all(refused)).toEqual([
    "NoSuchKey",
    "NoSuchBucket",
    "NoSuchBucket",
    "InvalidRequest",
    "NoSuchBucket",
  ]);
  expect(trips).toBe(2);
});

test("a small file is read from disk once, and large ones are never held", async () => {
  const onDisk = createDiskStore(join(testServer.folder, "files"));
  const store = holdSmallFiles(onDisk, 4 * LARGEST_HELD);
  for (const size of [5, LARGEST_HELD, LARGEST_HELD + 1]) {
    await put("sized.txt", "x".repeat(size));
    const { data } = await files().info("sized.txt");
    const version = data?.version ?? "";
    expect((await store.readWhole(version, size)).byteLength).toBe(size);
    await rm(join(testServer.folder, "files", version.slice(0, 2), version));
    const again = store.readWhole(version, size).then(
      ({ byteLength }) => byteLength,
      ({ name }) => name,
    );
    expect(await again).toBe(size > LARGEST_HELD ? "MissingFileError" : size);
  }
});
