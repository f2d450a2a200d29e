import {
  CopyObjectCommand,
  DeleteBucketCommand,
  DeleteBucketTaggingCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeletePublicAccessBlockCommand,
  GetBucketTaggingCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutPublicAccessBlockCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownersClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const Bucket = "quay";
let testServer: StorageTestServer;
let owner: S3Client;

beforeAll(async () => {
  testServer = await openStorage();
  owner = ownersClient(testServer);
  await testServer.query("insert into storage.buckets (id, name) values ('quay', 'quay'), ('pier', 'pier')");
  for (const at of ["quay", "pier"])
    for (const Key of ["a", "b", "c"]) await owner.send(new PutObjectCommand({ Bucket: at, Key, Body: Key }));
});
afterAll(async () => {
  owner.destroy();
  await testServer.close();
});

const list = (more: Partial<ListObjectsV2CommandInput>) =>
  owner.send(new ListObjectsV2Command({ Bucket, ...more }));

test("a list continues only with the token of its own bucket, as it was given", async () => {
  const { NextContinuationToken: token = "" } = await list({ MaxKeys: 2 });
  const next = await list({ ContinuationToken: token });
  expect(next.Contents?.map(({ Key }) => Key)).toEqual(["c"]);
  const damaged = Buffer.from(token, "base64url");
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
  const foreign = (await list({ Bucket: "pier", MaxKeys: 2 })).NextContinuationToken;
  const tokens = [
    damaged.toString("base64url"),
    foreign,
    `${token}=`,
    token.slice(0, 4),
    Buffer.from("a").toString("base64url"),
    Buffer.from("l:a\nc:created_at").toString("base64"),
  ];
  for (const ContinuationToken of tokens)
    await expect(list({ ContinuationToken }), ContinuationToken).rejects.toMatchObject({
      name: "InvalidArgument",
      $metadata: { httpStatusCode: 400 },
    });
});

test("names in lists are encoded if requested, except for their slashes, and the list says so", async () => {
  const asked = { Prefix: "no way/", Delimiter: "/", EncodingType: "url" as const };
  const uploads = await owner.send(new ListMultipartUploadsCommand({ Bucket, ...asked }));
  for (const found of [await list(asked), uploads])
    expect(found).toMatchObject({ EncodingType: "url", Prefix: "no%20way/", Delimiter: "/" });
});

test("what XML cannot say does not keep clients from reading why a name is refused", async () => {
  for (const Key of ["a\u0000", "a\u0001<&>", "a\ufffe"])
    await expect(owner.send(new PutObjectCommand({ Bucket, Key, Body: "a" }))).rejects.toMatchObject({
      name: "InvalidKey",
      message: expect.stringMatching(/^Invalid key: a\ufffd/),
    });
  expect(await list({ Prefix: "\u0001" })).toMatchObject({ Prefix: "\ufffd", KeyCount: 0 });
});

test("an unsigned form is refused as incomplete, and another unsigned post for its missing signature", async () => {
  const form = new FormData();
  form.append("key", "formed");
  form.append("file", new Blob(["x"]));
  const answer = await testServer.request("POST", "/s3/quay", { as: null, body: form });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("<Code>InvalidSignature</Code>"),
  ]);
  const bare = await testServer.request("POST", "/s3/quay", { as: null, body: "x" });
  expect(bare.status).toBe(403);
});

test("an object is not posted, and the error has no namespace, both as Amazon has it", async () => {
  const client = ownersClient(testServer);
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign(args.request as object, { method: "POST" });
      return next(args);
    },
    { step: "build" },
  );
  const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: "a" }));
  const answer = await fetch(url, { method: "POST" });
  expect([answer.status, await answer.text()]).toEqual([
    405,
    expect.stringContaining("<Error><Code>MethodNotAllowed</Code>"),
  ]);
  client.destroy();
});

test("what a bucket does not have is refused, and never taken for the bucket itself", async () => {
  const empty = { Bucket: "empty" };
  await testServer.query("insert into storage.buckets (id, name) values ('empty', 'empty')");
  const absent = { name: "NotImplemented", $metadata: { httpStatusCode: 501 } };
  await expect(owner.send(new DeletePublicAccessBlockCommand(empty))).rejects.toMatchObject(absent);
  await expect(owner.send(new DeleteBucketTaggingCommand(empty))).rejects.toMatchObject(absent);
  await expect(owner.send(new GetBucketTaggingCommand(empty))).rejects.toMatchObject(absent);
  const block = { Bucket: "new", PublicAccessBlockConfiguration: { BlockPublicAcls: true } };
  await expect(owner.send(new PutPublicAccessBlockCommand(block))).rejects.toMatchObject(absent);
  const versions = { ...empty, VersioningConfiguration: { Status: "Enabled" as const } };
  await expect(owner.send(new PutBucketVersioningCommand(versions))).rejects.toMatchObject({
    name: "MethodNotAllowed",
  });
  const unheardOf = clientWith({ "of-the-future": "" });
  await expect(unheardOf.send(new DeleteBucketCommand(empty))).rejects.toMatchObject(absent);
  unheardOf.destroy();
  await owner.send(new HeadBucketCommand(empty));
});

/** A client whose requests also have these parameters. */
function clientWith(query: Record<string, string>) {
  const client = ownersClient(testServer);
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { query: Record<string, string> };
      Object.assign(request, { query: { ...request.query, ...query } });
      return next(args);
    },
    { step: "build" },
  );
  return client;
}

test("a change that asks for more than is understood changes nothing", async () => {
  await testServer.query("insert into storage.buckets (id, name) values ('lonely', 'lonely')");
  const absent = { name: "NotImplemented", $metadata: { httpStatusCode: 501 } };
  const put = (more: Partial<PutObjectCommandInput>) =>
    owner.send(new PutObjectCommand({ Bucket, Key: "a", Body: "tail", ...more }));
  await expect(put({ WriteOffsetBytes: 1 })).rejects.toMatchObject(absent);
  const key = { SSECustomerAlgorithm: "AES256", SSECustomerKey: "k".repeat(32) };
  await expect(put(key)).rejects.toMatchObject(absent);
  await expect(put({ ObjectLockLegalHoldStatus: "ON" })).rejects.toMatchObject(absent);
  const sized = new DeleteObjectCommand({ Bucket, Key: "a", IfMatchSize: 99 });
  await expect(owner.send(sized)).rejects.toMatchObject(absent);
  const Objects = [{ Key: "a", ETag: '"other"' }];
  await expect(owner.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))).rejects.toMatchObject({
    name: "MalformedXML",
  });
  // What was to be said of a part, with its upload left out, and of an upload, with its object left out.
  const ofPart = clientWith({ partNumber: "2" });
  await expect(ofPart.send(new PutObjectCommand({ Bucket, Key: "a", Body: "part" }))).rejects.toMatchObject(
    absent,
  );
  const ofUpload = clientWith({ uploadId: "1" });
  await expect(ofUpload.send(new DeleteBucketCommand({ Bucket: "lonely" }))).rejects.toMatchObject(absent);
  for (const client of [ofPart, ofUpload]) client.destroy();
  await owner.send(new HeadBucketCommand({ Bucket: "lonely" }));
  const { Body } = await owner.send(new GetObjectCommand({ Bucket, Key: "a" }));
  expect(await Body?.transformToString()).toBe("a");
});

test("an object is removed under a condition only if it meets it", async () => {
  const { ETag } = await owner.send(new PutObjectCommand({ Bucket, Key: "met", Body: "met" }));
  const remove = (IfMatch: string, Key = "met") =>
    owner.send(new DeleteObjectCommand({ Bucket, Key, IfMatch }));
  await expect(remove('"5d41402abc4b2a76b9719d911017c592"')).rejects.toMatchObject({
    name: "PreconditionFailed",
    $metadata: { httpStatusCode: 412 },
  });
  await owner.send(new HeadObjectCommand({ Bucket, Key: "met" }));
  await remove(String(ETag));
  await expect(owner.send(new HeadObjectCommand({ Bucket, Key: "met" }))).rejects.toMatchObject({
    name: "NotFound",
  });
  await remove("*", "b");
  await expect(remove("*", "b")).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("an object is never taken for another version of it, nor all of it for a later part", async () => {
  const Key = "c";
  const VersionId = "3HL4kqtJlcpXroDTDmJrmSpXd3dIbrHY";
  const absent = { name: "NoSuchVersion", $metadata: { httpStatusCode: 404 } };
  await expect(owner.send(new DeleteObjectCommand({ Bucket, Key, VersionId }))).rejects.toMatchObject(absent);
  await expect(owner.send(new GetObjectCommand({ Bucket, Key, VersionId }))).rejects.toMatchObject(absent);
  const CopySource = `${Bucket}/${Key}?versionId=${VersionId}`;
  await expect(owner.send(new CopyObjectCommand({ Bucket, Key: "d", CopySource }))).rejects.toMatchObject(
    absent,
  );
  const Objects = [
    { Key, VersionId },
    { Key: "a", VersionId: "null" },
  ];
  const { Deleted, Errors } = await owner.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toEqual([{ Key: "a" }]);
  expect(Errors).toEqual([expect.objectContaining({ Key, VersionId, Code: "NoSuchVersion" })]);
  await owner.send(new HeadObjectCommand({ Bucket, Key, VersionId: "null" }));
  await owner.send(new GetObjectCommand({ Bucket, Key, PartNumber: 1 }));
  await expect(owner.send(new GetObjectCommand({ Bucket, Key, PartNumber: 2 }))).rejects.toMatchObject({
    name: "InvalidPartNumber",
    $metadata: { httpStatusCode: 416 },
  });
});
