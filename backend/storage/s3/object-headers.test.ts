import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownersClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const Bucket = "shelf";
let testServer: StorageTestServer;
let owner: S3Client;

beforeAll(async () => {
  testServer = await openStorage();
  owner = ownersClient(testServer);
  await testServer.query("insert into storage.buckets (id, name) values ('shelf', 'shelf')");
  const object = { Bucket, Key: "book.txt", Body: "once", ContentType: "text/plain" };
  await owner.send(new PutObjectCommand({ ...object, CacheControl: "max-age=60" }));
});
afterAll(async () => {
  owner.destroy();
  await testServer.close();
});

describe("the headers of an object that its reader asks for", () => {
  const read = async (more: object) => {
    const { Body, ...answer } = await owner.send(new GetObjectCommand({ Bucket, Key: "book.txt", ...more }));
    expect(await Body?.transformToString()).toBe("once");
    return answer;
  };

  test("are sent, its encoding and a long name among them", async () => {
    const name = encodeURIComponent("森".repeat(40));
    const asked = {
      ResponseContentEncoding: "identity",
      ResponseContentLanguage: "de",
      ResponseContentDisposition: `attachment; filename*=UTF-8''${name}`,
    };
    expect(await read(asked)).toMatchObject({
      ContentEncoding: "identity",
      ContentLanguage: "de",
      ContentDisposition: asked.ResponseContentDisposition,
    });
    const url = await getSignedUrl(owner, new HeadObjectCommand({ Bucket, Key: "book.txt", ...asked }));
    expect((await fetch(url, { method: "HEAD" })).headers.get("content-encoding")).toBe("identity");
  });

  test("stay the object's own if they cannot be sent", async () => {
    const evil = "x\r\nx-evil: 1\0";
    const found = await read({
      ResponseCacheControl: evil,
      ResponseContentDisposition: `attachment; filename="${evil}"`,
      ResponseContentEncoding: evil,
      ResponseContentLanguage: "日本",
      ResponseContentType: `text/csv${evil}`,
    });
    expect(found).toMatchObject({ CacheControl: "max-age=60", ContentType: "text/plain" });
    for (const name of ["ContentDisposition", "ContentEncoding", "ContentLanguage"])
      expect(found).not.toHaveProperty(name);
    expect(await read({ ResponseContentType: "no type" })).toMatchObject({ ContentType: "text/plain" });
  });
});

describe("metadata beyond the 2 KB that S3's clients expect", () => {
  const put = (Key: string, size: number) =>
    owner.send(new PutObjectCommand({ Bucket, Key, Body: "x", Metadata: { notes: "n".repeat(size) } }));
  const tooLarge = { name: "MetadataTooLarge", $metadata: { httpStatusCode: 400 } };

  test("is refused with the object", async () => {
    await put("full", 2048 - "notes".length);
    await expect(put("fuller", 2049 - "notes".length)).rejects.toMatchObject(tooLarge);
    const Metadata = { notes: "n".repeat(3000) };
    const begin = new CreateMultipartUploadCommand({ Bucket, Key: "fuller", Metadata });
    await expect(owner.send(begin)).rejects.toMatchObject(tooLarge);
    const copy = { Bucket, Key: "fuller", CopySource: "shelf/full", MetadataDirective: "REPLACE" as const };
    await expect(owner.send(new CopyObjectCommand({ ...copy, Metadata }))).rejects.toMatchObject(tooLarge);
    expect(await testServer.query("select from storage.objects where name = 'fuller'")).toEqual([]);
  });

  test("is counted instead of sent if another API stored it", async () => {
    const metadata = { long: "n".repeat(3000), short: "s", half: "h".repeat(1500), rest: "r".repeat(1500) };
    await testServer.as("server").from(Bucket).upload("annotated", "x", { metadata });
    const found = await owner.send(new HeadObjectCommand({ Bucket, Key: "annotated" }));
    expect(found.Metadata).toEqual({ short: "s", half: metadata.half });
    expect(found.MissingMeta).toBe(2);
  });
});
