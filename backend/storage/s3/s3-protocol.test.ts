import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownersClient, personsClient, s3Client } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const LIMIT = 400_000;
let testServer: StorageTestServer;
let owner: S3Client;

beforeAll(async () => {
  testServer = await openStorage({ fileSizeLimit: LIMIT });
  owner = ownersClient(testServer);
  await testServer.query(
    `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
       ('harbor', 'harbor', false, null, null), ('small', 'small', false, 100, null),
       ('pictures', 'pictures', false, null, '{image/png}')`,
  );
  await testServer.query(
    `create policy "own deck" on storage.objects for all to authenticated
       using (bucket_id = 'harbor' and (storage.foldername(name))[1] = (select auth.uid())::text)`,
  );
});
afterAll(async () => {
  owner.destroy();
  await testServer.close();
});

const Bucket = "harbor";
const put = (Key: string, Body: string | Buffer | Readable, more = {}) =>
  owner.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const read = async (Key: string, more = {}) => {
  const { Body, ...answer } = await owner.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return { ...answer, text: (await Body?.transformToString()) ?? "" };
};

test("a bucket is created, found, located and removed, but not while it contains objects", async () => {
  const made = await owner.send(new CreateBucketCommand({ Bucket: "quay", ACL: "public-read" }));
  expect(made.Location).toBe("/quay");
  await expect(owner.send(new CreateBucketCommand({ Bucket: "quay" }))).rejects.toMatchObject({
    name: "BucketAlreadyExists",
    $metadata: { httpStatusCode: 409 },
  });
  expect(await testServer.query("select public from storage.buckets where id = 'quay'")).toEqual([
    { public: true },
  ]);
  const { Buckets = [] } = await owner.send(new ListBucketsCommand({}));
  expect(Buckets.map(({ Name }) => Name)).toEqual(expect.arrayContaining(["harbor", "quay", "small"]));
  expect(Buckets[0]?.CreationDate).toBeInstanceOf(Date);
  expect((await owner.send(new HeadBucketCommand({ Bucket: "quay" }))).BucketRegion).toBe("us-east-1");
  await owner.send(new GetBucketLocationCommand({ Bucket: "quay" }));
  expect((await owner.send(new GetBucketVersioningCommand({ Bucket: "quay" }))).Status).toBe("Suspended");
  await owner.send(new PutObjectCommand({ Bucket: "quay", Key: "a", Body: "a" }));
  const remove = () => owner.send(new DeleteBucketCommand({ Bucket: "quay" }));
  await expect(remove()).rejects.toMatchObject({
    name: "BucketNotEmpty",
    $metadata: { httpStatusCode: 409 },
  });
  await owner.send(new DeleteObjectCommand({ Bucket: "quay", Key: "a" }));
  await remove();
  const gone = owner.send(new HeadBucketCommand({ Bucket: "quay" }));
  await expect(gone).rejects.toMatchObject({ name: "NotFound", $metadata: { httpStatusCode: 404 } });
  await expect(remove()).rejects.toMatchObject({ name: "NoSuchBucket" });
  await expect(owner.send(new GetBucketAclCommand({ Bucket }))).rejects.toMatchObject({
    name: "NotImplemented",
  });
});

test("a folder made by an empty object whose name ends in a slash is the dashboard's, and can be removed", async () => {
  await put("hold/", "");
  const names = "select name from storage.objects where name like 'hold%' order by name";
  expect(await testServer.query(names)).toEqual([{ name: "hold/.emptyFolderPlaceholder" }]);
  const head = (Key: string) => owner.send(new HeadObjectCommand({ Bucket, Key }));
  expect((await head("hold/")).ContentLength).toBe(0);
  await owner.send(new CopyObjectCommand({ Bucket, Key: "hold 2/", CopySource: `${Bucket}/hold/` }));
  const Objects = [{ Key: "hold/" }, { Key: "hold//" }];
  const removed = await owner.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(removed.Deleted).toEqual(Objects);
  await owner.send(new DeleteObjectCommand({ Bucket, Key: "hold 2/" }));
  expect(await testServer.query(names)).toEqual([]);
  for (const Key of ["hold/", "hold//a"])
    await expect(head(Key), Key).rejects.toMatchObject({ name: "NotFound" });
});

describe("an object", () => {
  test("is put as text, bytes or a stream, and read with its metadata", async () => {
    const content = randomBytes(200_000);
    const { ETag } = await put("deck/a (1).bin", content, {
      ContentType: "text/plain",
      CacheControl: "max-age=60",
      Metadata: { captain: "Mia" },
    });
    expect(ETag).toBe(`"${createHash("md5").update(content).digest("hex")}"`);
    const found = await owner.send(new GetObjectCommand({ Bucket, Key: "deck/a (1).bin" }));
    expect(Buffer.from((await found.Body?.transformToByteArray()) ?? []).equals(content)).toBe(true);
    expect(found).toMatchObject({
      ContentLength: 200_000,
      ETag,
      CacheControl: "max-age=60",
      Metadata: { captain: "Mia" },
    });
    expect(await owner.send(new HeadObjectCommand({ Bucket, Key: "deck/a (1).bin" }))).toMatchObject({
      ContentLength: 200_000,
      ContentType: "text/plain",
      ETag,
    });
    const pieces = Readable.from([Buffer.alloc(70_000, "a"), Buffer.alloc(70_000, "b")]);
    await put("deck/stream", pieces, { ContentLength: 140_000 });
    expect((await read("deck/stream")).text).toBe("a".repeat(70_000) + "b".repeat(70_000));
    expect((await testServer.as("server").from(Bucket).download("deck/stream")).data?.size).toBe(140_000);
    await put("deck/empty", "");
    expect((await read("deck/empty")).text).toBe("");
    expect(await owner.send(new GetObjectTaggingCommand({ Bucket, Key: "deck/empty" }))).toMatchObject({
      TagSet: [],
    });
  });

  test("is read by ranges and conditions", async () => {
    const { ETag } = await put("tide.txt", "high and low");
    expect(await read("tide.txt", { Range: "bytes=5-7" })).toMatchObject({
      text: "and",
      ContentRange: "bytes 5-7/12",
      $metadata: { httpStatusCode: 206 },
    });
    expect((await read("tide.txt", { Range: "bytes=-3" })).text).toBe("low");
    await expect(read("tide.txt", { Range: "bytes=50-" })).rejects.toMatchObject({
      name: "InvalidRange",
      $metadata: { httpStatusCode: 416 },
    });
    await expect(read("tide.txt", { IfNoneMatch: ETag })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 304 },
    });
    await expect(read("tide.txt", { IfMatch: '"other"' })).rejects.toMatchObject({
      name: "PreconditionFailed",
      $metadata: { httpStatusCode: 412 },
    });
    await expect(put("tide.txt", "new", { IfNoneMatch: "*" })).rejects.toMatchObject({
      name: "PreconditionFailed",
    });
    await expect(put("tide.txt", "new", { IfMatch: '"other"' })).rejects.toMatchObject({
      name: "PreconditionFailed",
    });
    await expect(put("tide.txt", "new", { IfNoneMatch: ETag })).rejects.toMatchObject({
      name: "NotImplemented",
      $metadata: { httpStatusCode: 501 },
    });
    await put("tide.txt", "new", { IfMatch: ETag });
    expect((await read("tide.txt")).text).toBe("new");
    await expect(read("nowhere")).rejects.toMatchObject({
      name: "NoSuchKey",
      $metadata: { httpStatusCode: 404 },
    });
    const lost = owner.send(new GetObjectCommand({ Bucket: "nowhere", Key: "a" }));
    await expect(lost).rejects.toMatchObject({ name: "NoSuchBucket" });
  });

  test("that another client replaced during a conditional upload is not replaced again", async () => {
    const { ETag } = await put("log.txt", "first");
    const { promise: isReplaced, resolve: goOn } = Promise.withResolvers<void>();
    const slow = async function* () {
      yield Buffer.from("la");
      await isReplaced;
      yield Buffer.from("te");
    };
    const late = put("log.txt", Readable.from(slow()), { IfMatch: ETag, ContentLength: 4 });
    late.catch(() => {});
    await expect.poll(() => testServer.incoming()).toHaveLength(1);
    await put("log.txt", "second", { IfMatch: ETag });
    goOn();
    await expect(late).rejects.toMatchObject({
      name: "PreconditionFailed",
      $metadata: { httpStatusCode: 412 },
    });
    expect((await read("log.txt")).text).toBe("second");
  });

  test("is copied with its metadata or new metadata", async () => {
    const { ETag } = await put("map/old name.txt", "north", {
      ContentType: "text/plain",
      Metadata: { by: "Ana" },
    });
    const copy = (Key: string, more = {}) =>
      owner.send(new CopyObjectCommand({ Bucket, Key, CopySource: "harbor/map/old%20name.txt", ...more }));
    expect((await copy("map/same")).CopyObjectResult?.ETag).toBe(ETag);
    expect(await read("map/same")).toMatchObject({
      text: "north",
      ContentType: "text/plain",
      Metadata: { by: "Ana" },
    });
    await copy("map/new", { MetadataDirective: "REPLACE", ContentType: "text/csv", Metadata: { by: "Ben" } });
    expect(await read("map/new")).toMatchObject({
      text: "north",
      ContentType: "text/csv",
      Metadata: { by: "Ben" },
    });
    await expect(copy("map/x", { CopySourceIfMatch: '"other"' })).rejects.toMatchObject({
      name: "PreconditionFailed",
    });
    for (const condition of [{ IfNoneMatch: "*" }, { IfMatch: '"other"' }])
      await expect(copy("map/same", condition)).rejects.toMatchObject({
        name: "PreconditionFailed",
        $metadata: { httpStatusCode: 412 },
      });
    await expect(copy("map/same", { IfNoneMatch: ETag })).rejects.toMatchObject({ name: "NotImplemented" });
    await copy("map/created", { IfNoneMatch: "*" });
    await copy("map/same", { IfMatch: ETag });
    await expect(copy("map/x", { CopySource: "harbor/map/none" })).rejects.toMatchObject({
      name: "NoSuchKey",
    });
  });

  test("keeps the bucket's rules", async () => {
    const over = owner.send(new PutObjectCommand({ Bucket: "small", Key: "a", Body: "x".repeat(101) }));
    await expect(over).rejects.toMatchObject({ name: "EntityTooLarge" });
    await expect(put("large", Buffer.alloc(LIMIT + 1))).rejects.toMatchObject({ name: "EntityTooLarge" });
    const page = { Bucket: "pictures", Key: "a.png", Body: "<html>" };
    await expect(
      owner.send(new PutObjectCommand({ ...page, ContentType: "text/html" })),
    ).rejects.toMatchObject({
      name: "InvalidMimeType",
    });
    await expect(
      owner.send(new PutObjectCommand({ ...page, ContentType: "image/png" })),
    ).rejects.toMatchObject({
      name: "InvalidMimeType",
    });
    await expect(put("a//b", "x")).rejects.toMatchObject({
      name: "InvalidKey",
      $metadata: { httpStatusCode: 400 },
    });
    expect(await testServer.incoming()).toEqual([]);
  });

  test("is removed alone or with others, and may be removed again", async () => {
    for (const name of ["a", "b & c", "d"]) await put(`rust/${name}`, "x");
    await owner.send(new DeleteObjectCommand({ Bucket, Key: "rust/a" }));
    await owner.send(new DeleteObjectCommand({ Bucket, Key: "rust/a" }));
    const Objects = [{ Key: "rust/b & c" }, { Key: "rust/d" }, { Key: "rust/none" }];
    const { Deleted = [] } = await owner.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Deleted.map(({ Key }) => Key)).toEqual(Objects.map(({ Key }) => Key));
    expect(await testServer.query("select from storage.objects where name like 'rust/%'")).toEqual([]);
  });

  test("is not stored if its body does not match the signature, and XML with a DOCTYPE, too deep or of another name is refused", async () => {
    const tampered = ownersClient(testServer);
    tampered.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, { body: "xxxxx" });
        return next(args);
      },
      { step: "finalizeRequest", priority: "low" },
    );
    const sent = tampered.send(new PutObjectCommand({ Bucket, Key: "tampered", Body: "plain" }));
    await expect(sent).rejects.toMatchObject({
      name: expect.stringMatching(/SignatureDoesNotMatch|BadDigest/),
    });
    tampered.destroy();
    await expect(put("tampered", "plain", { ContentMD5: "1B2M2Y8AsgTpgAmY7PhCfg==" })).rejects.toMatchObject({
      name: "BadDigest",
    });
    await expect(read("tampered")).rejects.toMatchObject({ name: "NoSuchKey" });
    expect(await testServer.incoming()).toEqual([]);
    const place = await getSignedUrl(owner, new CreateBucketCommand({ Bucket: "growing" }));
    const entity =
      '<!DOCTYPE d [<!ENTITY a "aaaa">]><CreateBucketConfiguration>&a;</CreateBucketConfiguration>';
    const deep = `${"<a>".repeat(200)}${"</a>".repeat(200)}`;
    for (const body of [entity, deep, "<__proto__/>"]) {
      const answer = await fetch(place, { method: "PUT", body });
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining("<Code>MalformedXML</Code>"),
      ]);
    }
  });
});

test("objects are listed as rclone lists them: by folders, in pages, with every encoding", async () => {
  const names = ["list/a.txt", "list/b/1", "list/b/2", "list/c & d/1", "list/e.txt", "list/f/1"];
  for (const name of names) await put(name, "x");
  const Prefix = "list/";
  const found: (string | undefined)[] = [];
  for (let ContinuationToken: string | undefined; ; ) {
    const paging = { MaxKeys: 2, ...(ContinuationToken && { ContinuationToken }) };
    const page = await owner.send(
      new ListObjectsV2Command({ Bucket, Prefix, Delimiter: "/", EncodingType: "url", ...paging }),
    );
    found.push(...(page.Contents ?? []).map(({ Key }) => Key));
    found.push(...(page.CommonPrefixes ?? []).map((folder) => folder.Prefix));
    expect(page.KeyCount).toBeLessThanOrEqual(2);
    ContinuationToken = page.NextContinuationToken;
    if (!page.IsTruncated) break;
  }
  expect(found.sort()).toEqual(["list/a.txt", "list/b/", "list/c%20%26%20d/", "list/e.txt", "list/f/"]);
  const flat = await owner.send(new ListObjectsV2Command({ Bucket, Prefix, StartAfter: "list/b/1" }));
  expect(flat.Contents?.map(({ Key }) => Key)).toEqual(names.slice(2));
  expect(flat.Contents?.[0]).toMatchObject({ Size: 1, ETag: expect.stringMatching(/^"[\da-f]{32}"$/) });
  const older: (string | undefined)[] = [];
  for (let Marker: string | undefined; ; ) {
    const page = await owner.send(
      new ListObjectsCommand({ Bucket, Prefix, Delimiter: "/", MaxKeys: 2, ...(Marker && { Marker }) }),
    );
    older.push(
      ...(page.Contents ?? []).map(({ Key }) => Key),
      ...(page.CommonPrefixes ?? []).map((at) => at.Prefix),
    );
    Marker = page.NextMarker;
    if (!page.IsTruncated) break;
  }
  expect(older.sort()).toEqual(["list/a.txt", "list/b/", "list/c & d/", "list/e.txt", "list/f/"]);
  await put("list/why? & how?.txt", "x");
  const odd = await owner.send(new ListObjectsV2Command({ Bucket, Prefix: "list/why? & how?" }));
  expect(odd.Contents?.map(({ Key }) => Key)).toEqual(["list/why? & how?.txt"]);
  const none = owner.send(new ListObjectsV2Command({ Bucket: "nowhere" }));
  await expect(none).rejects.toMatchObject({ name: "NoSuchBucket" });
});

test("an object has one version, which is listed in pages and can be removed by version id", async () => {
  for (const name of ["a", "b", "deep/c"]) await put(`kept/${name}`, name);
  const found: (string | undefined)[][] = [];
  for (let KeyMarker: string | undefined; ; ) {
    const page = await owner.send(
      new ListObjectVersionsCommand({ Bucket, Prefix: "kept/", MaxKeys: 2, ...(KeyMarker && { KeyMarker }) }),
    );
    found.push(...(page.Versions ?? []).map(({ Key, VersionId }) => [Key, VersionId]));
    KeyMarker = page.NextKeyMarker;
    if (!page.IsTruncated) break;
  }
  expect(found).toEqual(["a", "b", "deep/c"].map((name) => [`kept/${name}`, "null"]));
  const Objects = found.map(([Key, VersionId]) => ({ Key, VersionId }));
  await owner.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  const left = await owner.send(new ListObjectVersionsCommand({ Bucket, Prefix: "kept/" }));
  expect(left.Versions).toBeUndefined();
});

describe("the caller", () => {
  test("is identified by a session token, and the user's policies apply", async () => {
    const [ana, ben] = [personsClient(testServer, "Ana"), personsClient(testServer, "Ben")];
    const [{ id: anaId }] = (await testServer.query(
      "select id from auth.users where email like 'ana@%'",
    )) as [{ id: string }];
    const Key = `${anaId}/log.txt`;
    await ana.send(new PutObjectCommand({ Bucket, Key, Body: "dear log" }));
    expect(await testServer.query("select owner_id from storage.objects where name = $1", [Key])).toEqual([
      { owner_id: anaId },
    ]);
    await expect(ben.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
      name: "NoSuchKey",
    });
    await expect(ben.send(new PutObjectCommand({ Bucket, Key, Body: "x" }))).rejects.toMatchObject({
      name: "AccessDenied",
      $metadata: { httpStatusCode: 403 },
    });
    const list = new ListObjectsV2Command({ Bucket, Prefix: anaId });
    expect((await ben.send(list)).KeyCount).toBe(0);
    expect((await ana.send(list)).KeyCount).toBe(1);
    // Neither call tells whether an object exists that the caller may not see.
    const Objects = [{ Key }, { Key: `${anaId}/none.txt` }];
    expect(await ben.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))).toMatchObject({
      Deleted: Objects,
    });
    await ben.send(new DeleteObjectCommand({ Bucket, Key }));
    expect((await read(Key)).text).toBe("dear log");
    await testServer.query(
      'create policy "all read" on storage.objects for select to authenticated using (true)',
    );
    expect(await ben.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))).toMatchObject({
      Deleted: [Objects[1]],
      Errors: [{ Key, Code: "AccessDenied" }],
    });
    await testServer.query('drop policy "all read" on storage.objects');
    await expect(ben.send(new CreateBucketCommand({ Bucket: "bens" }))).rejects.toMatchObject({
      name: "AccessDenied",
    });
    for (const client of [ana, ben]) client.destroy();
  });

  test("is refused with a wrong secret, an unknown key, a foreign token, or a wrong time", async () => {
    const list = new ListBucketsCommand({});
    const { accessKeyId, secretAccessKey } = await owner.config.credentials();
    const { url, anonKey } = testServer;
    const attempts = [
      [{ accessKeyId, secretAccessKey: "wrong" }, "SignatureDoesNotMatch"],
      [{ accessKeyId: "UNKNOWN", secretAccessKey }, "InvalidAccessKeyId"],
      [{ accessKeyId: "project", secretAccessKey: anonKey, sessionToken: "a.b.c" }, "AccessDenied"],
      [{ accessKeyId: "project", secretAccessKey: "no", sessionToken: anonKey }, "SignatureDoesNotMatch"],
    ] as const;
    for (const [credentials, name] of attempts) {
      const client = s3Client(url, credentials);
      await expect(client.send(list), name).rejects.toMatchObject({
        name,
        $metadata: { httpStatusCode: 403 },
      });
      client.destroy();
    }
    for (const minutes of [-16, 16]) {
      const late = s3Client(url, { accessKeyId, secretAccessKey });
      late.config.systemClockOffset = minutes * 60_000;
      await expect(late.send(list)).rejects.toMatchObject({ name: "RequestTimeTooSkewed" });
      late.destroy();
    }
    const bare = await fetch(`${url}/storage/v1/s3/harbor`);
    expect([bare.status, await bare.text()]).toEqual([
      403,
      expect.stringContaining("<Code>AccessDenied</Code>"),
    ]);
  });

  test("may be anyone with a signed URL, until it expires and for nothing else", async () => {
    await put("gift.html", "<p>wrapped", { ContentType: "text/html" });
    const url = await getSignedUrl(owner, new GetObjectCommand({ Bucket, Key: "gift.html" }), {
      expiresIn: 60,
    });
    const answer = await fetch(url);
    expect([await answer.text(), answer.headers.get("content-type")]).toEqual([
      "<p>wrapped",
      "text/plain; charset=utf-8",
    ]);
    expect((await fetch(url.replace("gift.html", "tide.txt"))).status).toBe(403);
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
    const gift = new PutObjectCommand({ Bucket, Key: "sent.txt", ContentType: "text/plain" });
    const inbox = await getSignedUrl(owner, gift, {
      expiresIn: 60,
      signableHeaders: new Set(["content-type"]),
    });
    const headers = { "content-type": "text/plain" };
    expect((await fetch(inbox, { method: "PUT", headers, body: "from afar" })).status).toBe(200);
    expect((await read("sent.txt")).text).toBe("from afar");
    expect(
      (await fetch(inbox, { method: "PUT", headers: { "content-type": "text/html" }, body: "x" })).status,
    ).toBe(403);
    const signingDate = new Date(Date.now() - 120_000);
    const old = await getSignedUrl(owner, new GetObjectCommand({ Bucket, Key: "gift.html" }), {
      expiresIn: 60,
      signingDate,
    });
    expect(await (await fetch(old)).text()).toContain("Request has expired");
  });
});
