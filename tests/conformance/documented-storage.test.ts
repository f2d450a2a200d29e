import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { noteUse, readDocumentedOptions } from "./documented-options.ts";

const used = new Set<string>();
let testServer: StorageTestServer;
let storage: ReturnType<StorageTestServer["as"]>;
const files = (bucket = "docks") => storage.from(bucket);

beforeAll(async () => {
  testServer = await openStorage();
  storage = noteUse(testServer.as("server"), used);
  await storage.createBucket("docks", { public: true });
  await files().upload("sign.jpg", await picture("jpeg", 300, 200), { contentType: "image/jpeg" });
});
afterAll(() => testServer.close());

const notEnabled = { statusCode: "403", code: "FeatureNotEnabled" };
const missing = { statusCode: "404", code: "NoSuchKey" };

test("buckets: each method and option", async () => {
  const options = {
    public: true,
    fileSizeLimit: "1MB",
    allowedMimeTypes: ["text/*"],
    type: "STANDARD",
    versioningStatus: "DISABLED",
  } as const;
  const made = await storage.createBucket("crates", { ...options, allowedMimeTypes: ["text/*"] });
  expect(made).toEqual({ data: { name: "crates" }, error: null });
  expect((await storage.getBucket("crates")).data).toMatchObject({
    public: true,
    file_size_limit: 1_000_000,
    allowed_mime_types: ["text/*"],
  });
  const update = { public: false, fileSizeLimit: null, allowedMimeTypes: null };
  expect((await storage.updateBucket("crates", update)).error).toBe(null);
  expect((await storage.getBucket("crates")).data).toMatchObject({ public: false, file_size_limit: null });
  const sort = { sortColumn: "name", sortOrder: "desc" } as const;
  const ids = async (page: object) =>
    (await storage.listBuckets({ ...sort, ...page })).data?.map(({ id }) => id);
  expect(await ids({ search: "c" })).toEqual(expect.arrayContaining(["docks", "crates"]));
  expect(await ids({ search: "rates", limit: 1, offset: 0 })).toEqual(["crates"]);
  expect(await ids({ search: "rates", limit: 1, offset: 1 })).toEqual([]);
  expect((await storage.emptyBucket("crates")).error).toBe(null);
  expect((await storage.deleteBucket("crates")).data).toEqual({ message: "Successfully deleted" });
});

test("options that would keep former versions are refused, never silently ignored", async () => {
  const versioningStatus = "ENABLED" as const;
  expect((await storage.createBucket("old", { public: false, versioningStatus })).error).toMatchObject(
    notEnabled,
  );
  expect((await storage.updateBucket("docks", { public: false, versioningStatus })).error).toMatchObject(
    notEnabled,
  );
  expect((await storage.getBucket("docks")).data?.public).toBe(true);
  const rule = {
    id: "tidy",
    status: "Enabled",
    filter: {},
    noncurrentVersionExpiration: { noncurrentDays: 3, newerNoncurrentVersions: 1 },
  } as const;
  expect((await storage.updateBucketLifecycle("docks", { rules: [rule] })).error).toMatchObject(notEnabled);
  expect((await storage.getBucketLifecycle("docks")).error).toMatchObject(notEnabled);
  expect((await storage.deleteBucketLifecycle("docks")).error).toMatchObject(notEnabled);
  expect((await storage.getBucketLifecycle("nowhere")).error).toMatchObject({ code: "NoSuchBucket" });
});

describe("a file", () => {
  const described = {
    contentType: "text/csv",
    cacheControl: "60",
    contentEncoding: "gzip",
    metadata: { weight: 3 },
    duplex: "half",
  };
  const told = {
    contentType: "text/csv",
    cacheControl: "max-age=60",
    contentEncoding: "gzip",
    metadata: { weight: 3 },
  };
  const zipped = (text: string) => gzipSync(text);

  test("is uploaded, updated and sent to a signed URL, with each option", async () => {
    const again = { ...described, upsert: true, headers: { "x-upsert": "true" } };
    const ways: [string, (name: string) => Promise<{ error: unknown }>][] = [
      ["one.csv", (name) => files().upload(name, zipped("1"), described)],
      ["one.csv", (name) => files().upload(name, zipped("2"), again)],
      ["one.csv", (name) => files().update(name, zipped("3"), again)],
      [
        "two.csv",
        async (name) => {
          const { data } = await files().createSignedUploadUrl(name, { upsert: true });
          return files().uploadToSignedUrl(name, data?.token ?? "", zipped("4"), again);
        },
      ],
    ];
    for (const [index, [name, send]] of ways.entries()) {
      expect((await send(name)).error, String(index)).toBe(null);
      expect((await files().info(name)).data, String(index)).toMatchObject(told);
      // The service sends Content-Encoding, so the client decompresses the body.
      expect(await (await files().download(name)).data?.text()).toBe(String(index + 1));
    }
    expect((await files().upload("one.csv", "5")).error).toMatchObject({ statusCode: "409" });
    expect((await files().exists("one.csv")).data).toBe(true);
    expect((await files().exists("none.csv")).data).toBe(false);
    expect(files().toBase64("ahoy")).toBe("YWhveQ==");
  });

  test("is copied and moved with each option", async () => {
    const { data } = await files().info("one.csv");
    const sourceVersionId = data?.version ?? "";
    const metadata = { cacheControl: "max-age=9", contentEncoding: "", mimetype: "text/plain" };
    await storage.createBucket("hold");
    const there = { destinationBucket: "hold", sourceVersionId };
    expect((await files().copy("one.csv", "c.csv", { ...there, copyMetadata: false, metadata })).error).toBe(
      null,
    );
    expect((await files("hold").info("c.csv")).data).toMatchObject({
      contentType: "text/plain",
      cacheControl: "max-age=9",
      contentEncoding: null,
    });
    expect((await files().move("two.csv", "m.csv", { destinationBucket: "hold" })).error).toBe(null);
    expect((await files("hold").list()).data?.map(({ name }) => name)).toEqual(["c.csv", "m.csv"]);
    const other = { sourceVersionId: "another" };
    expect((await files().copy("one.csv", "d.csv", other)).error).toMatchObject(missing);
    expect((await files().move("one.csv", "d.csv", other)).error).toMatchObject(missing);
    expect((await files().move("one.csv", "three.csv", { sourceVersionId })).error).toBe(null);
  });

  test("requested by version is that version or none", async () => {
    await files().upload("log.txt", "first");
    const first = (await files().info("log.txt")).data?.version ?? "";
    const signed = await files().createSignedUrl("log.txt", 60, { versionId: first });
    const read = async (url = "") => (await fetch(url)).text();
    const open = files().getPublicUrl("log.txt", { versionId: first }).data.publicUrl;
    expect(await read(signed.data?.signedUrl)).toBe("first");
    expect(await read(open)).toBe("first");
    await files().update("log.txt", "second");
    expect(JSON.parse(await read(signed.data?.signedUrl))).toMatchObject(missing);
    expect(JSON.parse(await read(open))).toMatchObject(missing);
    expect((await files().download("log.txt", { versionId: first })).error).not.toBe(null);
    expect((await files().info("log.txt", { versionId: first })).error).toMatchObject(missing);
    expect((await files().createSignedUrl("log.txt", 60, { versionId: first })).error).toMatchObject(missing);
    const second = (await files().info("log.txt")).data?.version ?? "";
    expect(await (await files().download("log.txt", { versionId: second })).data?.text()).toBe("second");
    // The former version no longer exists, and removing it leaves the current one in place.
    expect((await files().remove([{ path: "log.txt", versionId: first }])).data).toEqual([]);
    const removed = await files().remove([{ path: "log.txt", versionId: second }, "none.txt"]);
    expect(removed.data?.map(({ name }) => name)).toEqual(["log.txt"]);
  });
});

describe("a picture", () => {
  const transform = { width: 60, height: 30, resize: "fill", quality: 50, format: "origin" } as const;
  const size = async (bytes: ArrayBuffer | undefined) => {
    const { width, height, format } = await sharp(Buffer.from(bytes ?? new ArrayBuffer())).metadata();
    return { width, height, format };
  };
  const expected = { width: 60, height: 30, format: "jpeg" };
  const cacheNonce = "n1";

  test("is downloaded transformed, as a blob or a stream, or aborted", async () => {
    const { signal } = new AbortController();
    const whole = await files().download(
      "sign.jpg",
      { transform, cacheNonce },
      { signal, cache: "no-store" },
    );
    expect(await size(await whole.data?.arrayBuffer())).toEqual(expected);
    const stream = await files().download("sign.jpg", { transform }).asStream();
    expect(await size(await new Response(stream.data).arrayBuffer())).toEqual(expected);
    const ended = await files().download("sign.jpg", {}, { signal: AbortSignal.abort() });
    expect(ended.error).toMatchObject({ name: "StorageUnknownError" });
    const order: string[] = [];
    await files()
      .download("none.jpg")
      .finally(() => order.push("finally"));
    await files("docks")
      .throwOnError()
      .download("none.jpg")
      .catch(() => order.push("catch"));
    expect(order).toEqual(["finally", "catch"]);
  });

  test("has a public and a signed URL with transformation, for display or download under a name", async () => {
    const options = { transform, cacheNonce, download: "sign small.jpg" };
    const signed = await files().createSignedUrl("sign.jpg", 60, options);
    const open = files().getPublicUrl("sign.jpg", options);
    for (const url of [signed.data?.signedUrl, open.data.publicUrl]) {
      const answer = await fetch(url ?? "");
      expect(answer.headers.get("content-disposition")).toContain("sign%20small.jpg");
      expect(await size(await answer.arrayBuffer())).toEqual(expected);
    }
    const many = await files().createSignedUrls(["sign.jpg", "none.jpg"], 60, { download: true, cacheNonce });
    expect(many.data?.map(({ error }) => error === null)).toEqual([true, false]);
    const kept = await fetch(many.data?.[0]?.signedUrl ?? "");
    expect(kept.headers.get("content-disposition")).toMatch(/^attachment/);
  });
});

describe("a list", () => {
  const names = ({ data }: { data: { name: string }[] | null }) => data?.map(({ name }) => name);
  const versions = ["exclude", "include", "only"] as const;

  beforeAll(async () => {
    for (const name of ["a", "a.b", "a/c", "d"]) await files("docks").upload(`list/${name}`, name);
  });

  test("is sorted, searched, limited and filtered according to each option", async () => {
    const page = { limit: 2, offset: 1, sortBy: { column: "name", order: "desc" }, search: "a" };
    const noStore = { signal: new AbortController().signal, cache: "no-store" } as const;
    expect(names(await files().list("list", page, noStore))).toEqual(["a.b", "a"]);
    expect(names(await files().list("list/a", { exactMatch: true }))).toEqual(["a"]);
    expect(names(await files().list("list/a", { exactMatch: true, offset: 1 }))).toEqual([]);
    expect(names(await files().list("list/a/", { exactMatch: true }))).toEqual([]);
    for (const choice of versions) {
      const found = choice === "only" ? [] : ["c"];
      expect(names(await files().list("list/a", { noncurrentVersions: choice }))).toEqual(found);
      expect(names(await files().list("list/a", { deleteMarkers: choice }))).toEqual(found);
    }
  });

  test("is paged by cursor according to each option", async () => {
    const noStore = { signal: new AbortController().signal, cache: "no-store" } as const;
    const sortBy = { column: "name", order: "desc" } as const;
    const asked = { prefix: "list/", limit: 2, with_delimiter: true, sortBy };
    const first = await files().listV2(asked, noStore);
    expect([names({ data: first.data?.folders ?? [] }), names({ data: first.data?.objects ?? [] })]).toEqual([
      ["list/a/"],
      ["list/d"],
    ]);
    const second = await files().listV2({ ...asked, cursor: first.data?.nextCursor ?? "" });
    expect(names({ data: second.data?.objects ?? [] })).toEqual(["list/a.b", "list/a"]);
    const exact = await files().listV2({ prefix: "list/a", exactMatch: true });
    expect([names({ data: exact.data?.objects ?? [] }), exact.data?.hasNext]).toEqual([["list/a"], false]);
    for (const choice of versions) {
      const found = choice === "only" ? 0 : 4;
      const both = [{ noncurrentVersions: choice }, { deleteMarkers: choice }];
      for (const chosen of both)
        expect((await files().listV2({ prefix: "list/", ...chosen })).data?.objects).toHaveLength(found);
    }
  });
});

test("purging the cache is refused with a message, since there is none", async () => {
  const how = [
    { transformations: true },
    { cache: "no-store", signal: new AbortController().signal },
  ] as const;
  for (const { error } of [
    await files().purgeCache("sign.jpg", ...how),
    await storage.purgeBucketCache("docks", ...how),
  ])
    expect(error).toMatchObject({ code: "FeatureNotEnabled", message: expect.stringMatching(/^CDN/) });
});

test("a custom header is sent", async () => {
  await files().upload("ten.txt", "0123456789");
  const part = await files().setHeader("range", "bytes=2-4").download("ten.txt");
  expect(await part.data?.text()).toBe("234");
});

test("analytics and vector buckets are refused as unsupported by this server", async () => {
  const { analytics, vectors } = testServer.as("server");
  const scope = vectors.from("shapes");
  const vector = { key: "k", data: { float32: [1] } };
  const index = scope.index("near");
  const refused = [
    analytics.createBucket("tables"),
    analytics.listBuckets(),
    analytics.deleteBucket("tables"),
    vectors.createBucket("shapes"),
    vectors.getBucket("shapes"),
    vectors.listBuckets(),
    vectors.deleteBucket("shapes"),
    scope.createIndex({ indexName: "near", dataType: "float32", dimension: 1, distanceMetric: "cosine" }),
    scope.getIndex("near"),
    scope.listIndexes(),
    scope.deleteIndex("near"),
    index.putVectors({ vectors: [vector] }),
    index.getVectors({ keys: ["k"] }),
    index.listVectors(),
    index.queryVectors({ queryVector: { float32: [1] }, topK: 1 }),
    index.deleteVectors({ keys: ["k"] }),
  ];
  for (const [at, { error }] of (await Promise.all<{ error: unknown }>(refused)).entries())
    expect(error, String(at)).toMatchObject({
      message: expect.stringContaining("this server has no such thing"),
    });
  const catalog = await analytics.from("tables").listNamespaces();
  expect(catalog.error).toMatchObject({ details: notEnabled });
});

test("nothing that the installed client documents was left out", () => {
  const classes = ["StorageBucketApi", "StorageFileApi", "BlobDownloadBuilder"].map(
    (name) => `packages/${name}`,
  );
  const documented = readDocumentedOptions(
    "@supabase/storage-js",
    [...classes, "lib/common/BaseApiClient"],
    ["lib/types"],
  );
  expect(documented.length).toBeGreaterThan(120);
  // Fields of a promise's result are not options.
  expect(documented.filter((one) => !used.has(one) && !one.startsWith("then "))).toEqual([]);
});
