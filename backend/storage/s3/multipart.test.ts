import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pathOnDisk } from "#backend/storage/files/disk-store.ts";
import { createS3Store } from "#backend/storage/files/s3-store.ts";
import { serveApart, sweepEverything } from "#tests/helpers/storage/killed-storage.ts";
import { openFiles } from "#tests/helpers/storage/open-files.ts";
import { ownersClient, personsClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const MIB = 1024 * 1024;
const Bucket = "harbor";
const BUCKETS =
  "insert into storage.buckets (id, name, file_size_limit) values ('harbor', 'harbor', null), ('small', 'small', 100)";
let testServer: StorageTestServer;
let owner: S3Client;

beforeAll(async () => {
  testServer = await openStorage({ fileSizeLimit: 14 * MIB, orphanGrace: 0, resumablePerPerson: 2 });
  owner = ownersClient(testServer);
  await testServer.query(BUCKETS);
  await testServer.query(
    "create policy \"all may\" on storage.objects for all to authenticated using (bucket_id = 'harbor')",
  );
});
afterAll(async () => {
  owner.destroy();
  await testServer.close();
});

const begin = async (Key: string, client = owner, more = {}) =>
  (await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }))).UploadId as string;
const sendPart = (Key: string, UploadId: string, PartNumber: number, Body: string | Buffer, client = owner) =>
  client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
const complete = (
  Key: string,
  UploadId: string,
  Parts: { PartNumber: number; ETag: string | undefined }[],
  client = owner,
) => client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
const read = async (Key: string, client = owner) => {
  const { Body, ...answer } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return { ...answer, bytes: Buffer.from((await Body?.transformToByteArray()) ?? []) };
};

test("Amazon's uploader sends a large file in parts, and nothing else is left of it", async () => {
  const content = randomBytes(12 * MIB);
  const params = { Bucket, Key: "large", Body: content, ContentType: "text/plain", Metadata: { by: "Ana" } };
  const { ETag, Location } = await new Upload({ client: owner, params }).done();
  expect(Location).toBe(`${testServer.url}/storage/v1/s3/${Bucket}/large`);
  const sums = [0, 5, 10].map((start) =>
    createHash("md5")
      .update(content.subarray(start * MIB, (start + 5) * MIB))
      .digest(),
  );
  expect(ETag).toBe(`"${createHash("md5").update(Buffer.concat(sums)).digest("hex")}-3"`);
  const found = await read("large");
  expect(found.bytes.equals(content)).toBe(true);
  expect(found).toMatchObject({ ETag, ContentType: "text/plain", Metadata: { by: "Ana" } });
  await expect.poll(() => testServer.files()).toHaveLength(1);
  expect(await testServer.query("select from storage.s3_multipart_uploads")).toEqual([]);
});

test("parts can arrive in any order, repeatedly, and from other objects, and are listed", async () => {
  await owner.send(new PutObjectCommand({ Bucket, Key: "source", Body: "0123456789" }));
  const id = await begin("mixed");
  const third = await sendPart("mixed", id, 3, "!");
  await sendPart("mixed", id, 1, "wrong");
  const first = await sendPart("mixed", id, 1, "right ");
  const copy = { Bucket, Key: "mixed", UploadId: id, PartNumber: 2, CopySource: "harbor/source" };
  const second = await owner.send(new UploadPartCopyCommand({ ...copy, CopySourceRange: "bytes=2-4" }));
  await expect(
    owner.send(new UploadPartCopyCommand({ ...copy, CopySourceRange: "bytes=8-10" })),
  ).rejects.toMatchObject({ name: "InvalidRange" });
  const told = await owner.send(new ListPartsCommand({ Bucket, Key: "mixed", UploadId: id, MaxParts: 2 }));
  expect(told.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
    [1, 6],
    [2, 3],
  ]);
  const rest = { Bucket, Key: "mixed", UploadId: id, PartNumberMarker: told.NextPartNumberMarker };
  expect((await owner.send(new ListPartsCommand(rest))).Parts?.map(({ ETag }) => ETag)).toEqual([third.ETag]);
  const parts = [
    { PartNumber: 1, ETag: first.ETag },
    { PartNumber: 2, ETag: second.CopyPartResult?.ETag },
    { PartNumber: 3, ETag: third.ETag },
  ];
  await expect(complete("mixed", id, parts.toReversed())).rejects.toMatchObject({ name: "InvalidPartOrder" });
  await expect(complete("mixed", id, [{ PartNumber: 1, ETag: '"no"' }])).rejects.toMatchObject({
    name: "InvalidPart",
  });
  await complete("mixed", id, parts);
  expect((await read("mixed")).bytes.toString()).toBe("right 234!");
  // As by a client that missed the answer.
  await complete("mixed", id, parts);
  await expect(complete("mixed", id, parts.slice(1))).rejects.toMatchObject({ name: "NoSuchUpload" });
  await expect(complete("elsewhere", id, parts)).rejects.toMatchObject({ name: "NoSuchUpload" });
  const empty = await begin("mixed");
  await expect(complete("mixed", empty, [])).rejects.toMatchObject({ name: "MalformedXML" });
  await owner.send(new AbortMultipartUploadCommand({ Bucket, Key: "mixed", UploadId: empty }));
});

test.each([
  ["nothing", ""],
  ["no list", "<CompleteMultipartUpload/>"],
  [
    "a part without a number",
    "<CompleteMultipartUpload><Part><ETag>x</ETag></Part></CompleteMultipartUpload>",
  ],
  ...["", "  ", "1e0", "Infinity", "9".repeat(400)].map((number) => [
    `part "${number.slice(0, 9)}"`,
    `<CompleteMultipartUpload><Part><PartNumber>${number}</PartNumber><ETag>TAG</ETag></Part></CompleteMultipartUpload>`,
  ]),
])("an upload is not completed by %s, and can be afterwards", async (_, text = "") => {
  const UploadId = await begin("unlisted");
  const { ETag = "" } = await sendPart("unlisted", UploadId, 1, "kept");
  const command = new CompleteMultipartUploadCommand({ Bucket, Key: "unlisted", UploadId });
  const body = text.replace("TAG", ETag);
  const answer = await fetch(await getSignedUrl(owner, command), { method: "POST", body });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("<Code>MalformedXML</Code>"),
  ]);
  await expect(read("unlisted")).rejects.toMatchObject({ name: "NoSuchKey" });
  await complete("unlisted", UploadId, [{ PartNumber: 1, ETag }]);
  await owner.send(new DeleteObjectCommand({ Bucket, Key: "unlisted" }));
});

test("a refused copy of a part and a refused completion leave no file open", async () => {
  await owner.send(new PutObjectCommand({ Bucket, Key: "source", Body: "0123456789" }));
  const UploadId = await begin("refused");
  const copy = (PartNumber: number) =>
    owner.send(
      new UploadPartCopyCommand({
        Bucket,
        Key: "refused",
        UploadId,
        PartNumber,
        CopySource: "harbor/source",
      }),
    );
  for (const number of [0, 10_001])
    await expect(copy(number)).rejects.toMatchObject({ name: "InvalidArgument" });
  const [one, two] = [await copy(1), await copy(2)].map(({ CopyPartResult }) => CopyPartResult?.ETag);
  const mixed = [
    { PartNumber: 1, ETag: one, ChecksumCRC32: "poTHxg==" },
    { PartNumber: 2, ETag: two, ChecksumSHA1: "AAAA" },
  ];
  await expect(complete("refused", UploadId, mixed)).rejects.toMatchObject({ name: "InvalidPart" });
  expect(await openFiles(testServer.folder)).toEqual([]);
  await owner.send(new AbortMultipartUploadCommand({ Bucket, Key: "refused", UploadId }));
});

test("a failure to read the parts is the server's, and completing them at once succeeds for everyone who asks", async () => {
  const UploadId = await begin("asked twice");
  const content = randomBytes(5 * MIB);
  const { ETag } = await sendPart("asked twice", UploadId, 1, content);
  const [row] = await testServer.query("select version from storage.s3_multipart_uploads_parts");
  const path = pathOnDisk(join(testServer.folder, "files"), String(row?.version));
  const ask = () => complete("asked twice", UploadId, [{ PartNumber: 1, ETag }]);
  await rename(path, `${path}.away`);
  // A folder can be opened, but not read.
  await mkdir(path);
  await expect(ask()).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
  await rmdir(path);
  await rename(`${path}.away`, path);
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(new Set(answers.map((answer) => answer.ETag)).size).toBe(1);
  expect((await read("asked twice")).bytes.equals(content)).toBe(true);
});

test("an upload is completed on the client's condition only, and can be without it", async () => {
  const put = (Body: string) => owner.send(new PutObjectCommand({ Bucket, Key: "conditional", Body }));
  const first = await put("first");
  const second = await put("second");
  const UploadId = await begin("conditional");
  const { ETag } = await sendPart("conditional", UploadId, 1, "third");
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  const ask = (condition: object) =>
    owner.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key: "conditional",
        UploadId,
        MultipartUpload,
        ...condition,
      }),
    );
  for (const condition of [{ IfNoneMatch: "*" }, { IfMatch: first.ETag }])
    await expect(ask(condition)).rejects.toMatchObject({
      name: "PreconditionFailed",
      $metadata: { httpStatusCode: 412 },
    });
  await expect(ask({ IfNoneMatch: first.ETag })).rejects.toMatchObject({ name: "NotImplemented" });
  expect((await read("conditional")).bytes.toString()).toBe("second");
  await ask({ IfMatch: second.ETag });
  expect((await read("conditional")).bytes.toString()).toBe("third");
});

test("parts match ETags as Go clients write them, with quotes as numeric references", async () => {
  const UploadId = await begin("from Go");
  const { ETag = "" } = await sendPart("from Go", UploadId, 1, "gopher");
  const url = await getSignedUrl(
    owner,
    new CompleteMultipartUploadCommand({ Bucket, Key: "from Go", UploadId }),
  );
  const written = ETag.replaceAll('"', "&#34;");
  const part = `<Part><PartNumber>1</PartNumber><ETag>${written}</ETag></Part>`;
  const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
  expect((await fetch(url, { method: "POST", body })).status).toBe(200);
  expect((await read("from Go")).bytes.toString()).toBe("gopher");
});

test("uploads in progress are listed in pages, and gone once aborted", async () => {
  const ids = [await begin("way/a"), await begin("way/a"), await begin("way/deep/b")].sort();
  const found: (string | undefined)[] = [];
  for (let marker = {}; ; ) {
    const page = await owner.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: "way/", MaxUploads: 1, ...marker }),
    );
    found.push(...(page.Uploads ?? []).map(({ UploadId }) => UploadId));
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    if (!page.IsTruncated) break;
  }
  expect(found.sort()).toEqual(ids);
  const folders = await owner.send(
    new ListMultipartUploadsCommand({ Bucket, Prefix: "way/", Delimiter: "/" }),
  );
  expect([folders.Uploads?.length, folders.CommonPrefixes]).toEqual([2, [{ Prefix: "way/deep/" }]]);
  const { Uploads = [] } = await owner.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "way/" }));
  const before = (await testServer.files()).length;
  for (const { Key = "", UploadId = "" } of Uploads) {
    await sendPart(Key, UploadId, 1, "gone");
    await owner.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }
  await expect.poll(async () => (await testServer.files()).length).toBe(before);
  await expect(sendPart("way/a", ids[0] as string, 1, "x")).rejects.toMatchObject({ name: "NoSuchUpload" });
});

test("an upload belongs to its user, within the user's quota and the bucket's limit, as long as the policy allows it", async () => {
  const [ana, ben] = [personsClient(testServer, "Ana"), personsClient(testServer, "Ben")];
  const id = await begin("share", ana);
  await expect(sendPart("share", id, 1, "x", ben)).rejects.toMatchObject({ name: "NoSuchUpload" });
  expect((await ben.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toBe(undefined);
  await begin("second", ana);
  await expect(begin("third", ana)).rejects.toMatchObject({ name: "SlowDown" });
  const half = Buffer.alloc(8 * MIB);
  await sendPart("share", id, 1, half, ana);
  await expect(sendPart("share", id, 2, half, ana)).rejects.toMatchObject({ name: "EntityTooLarge" });
  const first = await sendPart("share", id, 1, "small", ana);
  await testServer.query('drop policy "all may" on storage.objects');
  await expect(sendPart("share", id, 2, "x", ana)).rejects.toMatchObject({ name: "AccessDenied" });
  const parts = [{ PartNumber: 1, ETag: first.ETag }];
  await expect(complete("share", id, parts, ana)).rejects.toMatchObject({ name: "AccessDenied" });
  await expect(read("share")).rejects.toMatchObject({ name: "NoSuchKey" });
  await expect(begin("fourth", ana)).rejects.toMatchObject({ name: "AccessDenied" });
  for (const client of [ana, ben]) client.destroy();
});

test("a server's upload is none of a visitor's, who has no owner either: its parts and its size", async () => {
  await testServer.query(
    "create policy \"visitors may\" on storage.objects for all to anon using (bucket_id = 'harbor')",
  );
  const visitor = personsClient(testServer, "visitor");
  const ids = [await begin("theirs/a"), await begin("theirs/b")];
  const [id = ""] = ids;
  await sendPart("theirs/a", id, 1, Buffer.alloc(13 * MIB));
  await expect(sendPart("theirs/a", id, 2, "x", visitor)).rejects.toMatchObject({ name: "NoSuchUpload" });
  const abort = new AbortMultipartUploadCommand({ Bucket, Key: "theirs/a", UploadId: id });
  await expect(visitor.send(abort)).rejects.toMatchObject({ name: "NoSuchUpload" });
  const own = await begin("own", visitor);
  const part = await sendPart("own", own, 1, Buffer.alloc(8 * MIB), visitor);
  await complete("own", own, [{ PartNumber: 1, ETag: part.ETag }], visitor);
  for (const [index, Key] of ["theirs/a", "theirs/b"].entries())
    await owner.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: ids[index] ?? "" }));
  await testServer.query('drop policy "visitors may" on storage.objects');
  visitor.destroy();
});

test("an upload continues after the server was killed", async () => {
  const first = await serve();
  const id = await begin("survivor", first.client);
  const one = await sendPart("survivor", id, 1, "before ", first.client);
  const cut = sendPart("survivor", id, 2, randomBytes(8 * MIB), first.client).catch(() => null);
  await expect.poll(() => testServer.incoming()).toHaveLength(1);
  first.process.kill("SIGKILL");
  await Promise.all([once(first.process, "exit"), cut]);
  const second = await serve();
  const two = await sendPart("survivor", id, 2, "after", second.client);
  const parts = [one, two].map(({ ETag }, index) => ({ PartNumber: index + 1, ETag }));
  await complete("survivor", id, parts, second.client);
  expect((await read("survivor", second.client)).bytes.toString()).toBe("before after");
  expect(await testServer.incoming()).toEqual([]);
  second.process.kill("SIGKILL");
  await once(second.process, "exit");
  await expect
    .poll(
      async () =>
        (await testServer.query("select from storage.s3_multipart_uploads_parts where key = 'survivor'"))
          .length,
    )
    .toBe(0);
});

test("abandoned uploads are swept after a day, not earlier", async () => {
  const [old, young] = [await begin("old"), await begin("young")];
  for (const [key, id] of [
    ["old", old],
    ["young", young],
  ] as const)
    await sendPart(key, id, 1, key);
  // Leftovers of the processes killed above.
  await sweepEverything(testServer);
  const files = (await testServer.files()).length;
  await testServer.query(
    "update storage.s3_multipart_uploads set created_at = now() - interval '25 hours' where id = $1",
    [old],
  );
  await sweepEverything(testServer);
  expect(await testServer.files()).toHaveLength(files - 1);
  const found = await owner.send(new ListMultipartUploadsCommand({ Bucket }));
  expect(found.Uploads?.map(({ UploadId }) => UploadId)).toContain(young);
  expect(found.Uploads?.map(({ UploadId }) => UploadId)).not.toContain(old);
  await complete("young", young, [{ PartNumber: 1, ETag: createHash("md5").update("young").digest("hex") }]);
});

test("parts are stored in S3 like whole files", async () => {
  const directory = await mkdtemp(join(tmpdir(), "s3-"));
  const options = { address: "127.0.0.1", port: 0, silent: true, directory, allowMismatchedSignatures: true };
  const behind = new S3rver({ ...options, configureBuckets: [{ name: "depot" }] });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" });
  const endpoint = `http://127.0.0.1:${(await behind.run()).port}`;
  const store = createS3Store({ bucket: "depot", region: "us-east-1", endpoint });
  const remote = await openStorage({ store });
  await remote.query(BUCKETS);
  const client = ownersClient(remote);
  const content = randomBytes(6 * MIB);
  await new Upload({ client, params: { Bucket, Key: "far", Body: content } }).done();
  expect((await read("far", client)).bytes.equals(content)).toBe(true);
  expect(await remote.files()).toEqual([]);
  client.destroy();
  await remote.close();
  await behind.close();
  await rm(directory, { recursive: true });
});

async function serve(): Promise<{ process: ChildProcess; client: S3Client }> {
  const { process, url } = await serveApart(testServer);
  return { process, client: ownersClient({ url }) };
}
