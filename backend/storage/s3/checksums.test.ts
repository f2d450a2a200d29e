import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import {
  ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownersClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const Bucket = "harbor";
let testServer: StorageTestServer;
let owner: S3Client;

beforeAll(async () => {
  testServer = await openStorage();
  owner = ownersClient(testServer);
  await testServer.query("insert into storage.buckets (id, name) values ('harbor', 'harbor')");
});
afterAll(async () => {
  owner.destroy();
  await testServer.close();
});

const put = (Key: string, more: Partial<PutObjectCommandInput>) =>
  owner.send(new PutObjectCommand({ Bucket, Key, Body: "123456789", ...more }));
const head = (Key: string) => owner.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }));

// The checksums of "123456789" from the algorithms' specifications.
const known = [
  ["CRC32", "y/Q5Jg=="],
  ["CRC32C", "4waSgw=="],
  ["CRC64NVME", "rosUhgp5mIg="],
  ["SHA1", "98O8HYCOBHMq32eZZczDTKeuNEE="],
  ["SHA256", "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU="],
] as const;

describe.each(known)("by %s", (name, sum) => {
  const member = `Checksum${name}`;

  test("a body's checksum, in a header or trailer, is verified, stored, and returned on request", async () => {
    const whole = await put(`whole-${name}`, { ChecksumAlgorithm: name });
    expect(whole).toMatchObject({ [member]: sum, ChecksumType: "FULL_OBJECT" });
    const Body = Readable.from([Buffer.from("1234"), Buffer.from("56789")]);
    const streamed = await put(`stream-${name}`, { ChecksumAlgorithm: name, Body, ContentLength: 9 });
    expect(streamed).toMatchObject({ [member]: sum });
    for (const Key of [`whole-${name}`, `stream-${name}`]) {
      expect(await head(Key)).toMatchObject({ [member]: sum, ChecksumType: "FULL_OBJECT" });
      const read = await owner.send(new GetObjectCommand({ Bucket, Key }));
      expect(read).toMatchObject({ [member]: sum });
      // The client verifies the content itself if it gets the checksum.
      expect(await read.Body?.transformToString()).toBe("123456789");
      const part = await owner.send(new GetObjectCommand({ Bucket, Key, Range: "bytes=0-3" }));
      expect([part[member as "ChecksumCRC32"], await part.Body?.transformToString()]).toEqual([
        undefined,
        "1234",
      ]);
    }
  });

  test("a different body is refused and leaves nothing behind", async () => {
    const files = (await testServer.files()).length;
    const refused = expect.objectContaining({ name: "BadDigest", $metadata: expect.anything() });
    await expect(put("wrong", { [member]: sum, Body: "123456780" })).rejects.toEqual(refused);
    await expect(put("wrong", { [member]: "no sum" })).rejects.toMatchObject({ name: "InvalidRequest" });
    await expect(head("wrong")).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
    expect([(await testServer.files()).length, await testServer.incoming()]).toEqual([files, []]);
  });

  test("parts' checksums are computed, and a wrong one prevents the object", async () => {
    const Key = `parts-${name}`;
    const begun = await owner.send(
      new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: name }),
    );
    const type = name === "CRC64NVME" ? "FULL_OBJECT" : "COMPOSITE";
    expect(begun).toMatchObject({ ChecksumAlgorithm: name, ChecksumType: type });
    const { UploadId } = begun;
    const upload = (PartNumber: number, Body: string, more = {}) =>
      owner.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ...more }));
    const one = await upload(1, "123456789", { ChecksumAlgorithm: name });
    expect(one).toMatchObject({ [member]: sum });
    const two = await upload(2, "!", { ChecksumAlgorithm: name });
    const other = name === "SHA1" ? "SHA256" : "SHA1";
    await expect(upload(2, "!", { ChecksumAlgorithm: other })).rejects.toMatchObject({
      name: "InvalidRequest",
      message: expect.stringContaining(`expected checksum Type: ${name.toLowerCase()}`),
    });
    const told = await owner.send(new ListPartsCommand({ Bucket, Key, UploadId }));
    expect(told).toMatchObject({ ChecksumAlgorithm: name, ChecksumType: type });
    const sumOf = (part: object) => (part as Record<string, string>)[member];
    const complete = (second: string | undefined, more = {}) => {
      const Parts = [
        { PartNumber: 1, ETag: one.ETag, [member]: sumOf(one) },
        { PartNumber: 2, ETag: two.ETag, [member]: second },
      ];
      return owner.send(
        new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...more }),
      );
    };
    await expect(complete(sumOf(one))).rejects.toMatchObject({ name: "InvalidPart" });
    await expect(complete(sumOf(two), { [member]: sumOf(one) })).rejects.toMatchObject({ name: "BadDigest" });
    await expect(complete(sumOf(two), { MpuObjectSize: 9 })).rejects.toMatchObject({
      name: "InvalidRequest",
    });
    await expect(head(Key)).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
    const whole = await put(`sum-${name}`, {
      ChecksumAlgorithm: name,
      Body:
        type === "FULL_OBJECT"
          ? "123456789!"
          : Buffer.concat([one, two].map((part) => Buffer.from(sumOf(part) ?? "", "base64"))),
    });
    const value = type === "FULL_OBJECT" ? sumOf(whole) : `${sumOf(whole)}-2`;
    const done = await complete(sumOf(two), { [member]: sumOf(whole), MpuObjectSize: 10 });
    expect(done).toMatchObject({ [member]: value, ChecksumType: type });
    expect(await head(Key)).toMatchObject({ [member]: value, ChecksumType: type, ContentLength: 10 });
  });

  test("Amazon's uploader sends a large file", async () => {
    const Body = randomBytes(6 * 1024 * 1024);
    const Key = `large-${name}`;
    const params = { Bucket, Key, Body, ChecksumAlgorithm: name };
    await new Upload({ client: owner, params }).done();
    const found = await owner.send(new GetObjectCommand({ Bucket, Key }));
    expect(Buffer.from((await found.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true);
    expect(await head(Key)).toMatchObject({ [member]: expect.any(String) });
  });
});

test("parts may have a full-object checksum, if the algorithm supports it", async () => {
  const Key = "whole parts";
  const begin = (algorithm: ChecksumAlgorithm) =>
    owner.send(
      new CreateMultipartUploadCommand({
        Bucket,
        Key,
        ChecksumAlgorithm: algorithm,
        ChecksumType: "FULL_OBJECT",
      }),
    );
  await expect(begin(ChecksumAlgorithm.SHA256)).rejects.toMatchObject({ name: "InvalidRequest" });
  const { UploadId } = await begin(ChecksumAlgorithm.CRC32);
  const Parts = await Promise.all(
    ["1234", "56789"].map(async (Body, index) => {
      const PartNumber = index + 1;
      const { ETag } = await owner.send(
        new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ChecksumAlgorithm: "CRC32" }),
      );
      return { PartNumber, ETag };
    }),
  );
  const place = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
  const done = await owner.send(new CompleteMultipartUploadCommand(place));
  expect(done).toMatchObject({ ChecksumCRC32: "y/Q5Jg==", ChecksumType: "FULL_OBJECT" });
});

test("a copy has its original's checksum, which lists and attributes show", async () => {
  await put("told/first", { ChecksumAlgorithm: "CRC64NVME" });
  const copy = new CopyObjectCommand({ Bucket, Key: "told/second", CopySource: "harbor/told/first" });
  expect((await owner.send(copy)).CopyObjectResult).toMatchObject({ ChecksumCRC64NVME: "rosUhgp5mIg=" });
  const { Contents } = await owner.send(new ListObjectsV2Command({ Bucket, Prefix: "told/" }));
  const told = { ChecksumAlgorithm: ["CRC64NVME"], ChecksumType: "FULL_OBJECT" };
  expect(Contents).toMatchObject([told, told]);
  const ask = new GetObjectAttributesCommand({
    Bucket,
    Key: "told/second",
    ObjectAttributes: ["Checksum", "ObjectSize"],
  });
  const attributes = await owner.send(ask);
  expect(attributes).toMatchObject({ Checksum: { ChecksumCRC64NVME: "rosUhgp5mIg=" }, ObjectSize: 9 });
  expect(attributes.ETag).toBeUndefined();
});

test("several checksums at once, and unsupported ones, are refused rather than trusted", async () => {
  const two = put("two", { ChecksumCRC32: "y/Q5Jg==", ChecksumSHA1: "98O8HYCOBHMq32eZZczDTKeuNEE=" });
  await expect(two).rejects.toMatchObject({ name: "InvalidRequest" });
  const client = ownersClient(testServer);
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      for (const name of Object.keys(headers))
        if (/^x-amz-(?:checksum|sdk-checksum)/.test(name)) delete headers[name];
      headers["x-amz-checksum-xxhash3"] = "AAAAAAAAAAA=";
      return next(args);
    },
    { step: "build", priority: "low" },
  );
  const unknown = client.send(new PutObjectCommand({ Bucket, Key: "unknown", Body: "x" }));
  await expect(unknown).rejects.toMatchObject({ name: "InvalidRequest" });
  client.destroy();
});

test("checksums of any content, in any chunks, match other implementations", async () => {
  for (const length of [0, 1, 255, 70_000]) {
    const Body = randomBytes(length);
    const sums = {
      ChecksumCRC32: Buffer.from(crc32(Body).toString(16).padStart(8, "0"), "hex").toString("base64"),
      ChecksumSHA512: createHash("sha512").update(Body).digest("base64"),
    };
    await put("any", { Body, ChecksumCRC32: sums.ChecksumCRC32 });
    await put("any", { Body, ChecksumSHA512: sums.ChecksumSHA512 });
    // The client computes these two itself.
    await put("any", { Body, ChecksumAlgorithm: "CRC32C" });
    await put("any", { Body, ChecksumAlgorithm: "CRC64NVME" });
  }
});
