import { createHash } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownersClient, personsClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { createSigner } from "./signature.ts";

const Bucket = "window";
let testServer: StorageTestServer;
let owner: S3Client;

beforeAll(async () => {
  testServer = await openStorage();
  owner = ownersClient(testServer);
  await testServer.query(
    "insert into storage.buckets (id, name, public) values ('window', 'window', true), ('vault', 'vault', false)",
  );
  await put("secret.txt", "the treasure is below", { Bucket: "vault" });
});
afterAll(async () => {
  owner.destroy();
  await testServer.close();
});

const put = (Key: string, Body: string, more = {}) =>
  owner.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const read = async (Key: string) => {
  const { Body, Metadata } = await owner.send(new GetObjectCommand({ Bucket, Key }));
  return { text: await Body?.transformToString(), Metadata };
};
const visit = async (url: string, method: string, { headers = {}, body }: RequestInit = {}) => {
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const HIDDEN = { unhoistableHeaders: new Set(["x-amz-meta-by"]) };

describe("a presigned URL without the x-amz-… header that is sent with it", () => {
  test.each([
    ["x-amz-copy-source", "vault/secret.txt"],
    ["x-amz-meta-evil", "yes"],
    ["x-amz-security-token", "a.b.c"],
    ["x-amz-checksum-crc32", "AAAAAA=="],
    ["x-amz-acl", "public-read"],
  ])("is refused, and nothing is stored: %s", async (name, value) => {
    const url = await getSignedUrl(owner, new PutObjectCommand({ Bucket, Key: "shown.txt" }));
    const { status, text } = await visit(url, "PUT", { headers: { [name]: value }, body: "harmless" });
    expect([status, text]).toEqual([403, expect.stringContaining(`not signed: ${name}</Message>`)]);
    await expect(read("shown.txt")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  test("is also refused if the signature is in a header", async () => {
    const client = ownersClient(testServer);
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: object }).headers, { "x-amz-acl": "public-read" });
        return next(args);
      },
      { step: "finalizeRequest", priority: "low" },
    );
    const made = client.send(new CreateBucketCommand({ Bucket: "open" }));
    await expect(made).rejects.toMatchObject({ name: "AccessDenied", message: /not signed: x-amz-acl/ });
    client.destroy();
  });

  test("is accepted if it is CloudFront's, which adds it to whatever it forwards", async () => {
    const url = await getSignedUrl(owner, new PutObjectCommand({ Bucket, Key: "forwarded" }));
    const headers = { "x-amz-cf-id": "one of many" };
    expect((await visit(url, "PUT", { headers, body: "forwarded" })).status).toBe(200);
  });
});

describe("what a presigned URL says in its query, where clients move headers to", () => {
  test("makes it a copy", async () => {
    await put("source", "north", { Metadata: { by: "Ana" } });
    await put("target", "to be replaced");
    const copy = { Bucket, Key: "target", CopySource: `${Bucket}/source` };
    const plain = await getSignedUrl(owner, new CopyObjectCommand(copy));
    expect((await visit(plain, "PUT")).text).toContain("<CopyObjectResult");
    expect(await read("target")).toEqual({ text: "north", Metadata: { by: "Ana" } });
    const changed = { ...copy, MetadataDirective: "REPLACE" as const, Metadata: { by: "Ben" } };
    await visit(await getSignedUrl(owner, new CopyObjectCommand(changed)), "PUT");
    expect(await read("target")).toEqual({ text: "north", Metadata: { by: "Ben" } });
    const careful = new CopyObjectCommand({ ...copy, CopySourceIfMatch: '"other"' });
    expect((await visit(await getSignedUrl(owner, careful), "PUT")).status).toBe(412);
  });

  test("is a new object's metadata, whatever a header says", async () => {
    const command = new PutObjectCommand({ Bucket, Key: "described", Metadata: { by: "Ana" } });
    const url = await getSignedUrl(owner, command);
    expect(new URL(url).searchParams.get("x-amz-meta-by")).toBe("Ana");
    expect((await visit(url, "PUT", { body: "north" })).status).toBe(200);
    expect(await read("described")).toEqual({ text: "north", Metadata: { by: "Ana" } });
    const headers = { "x-amz-meta-by": "Ben" };
    expect((await visit(url, "PUT", { headers, body: "south" })).status).toBe(200);
    expect(await read("described")).toEqual({ text: "south", Metadata: { by: "Ana" } });
  });

  test("is its type, its caching and its checksum, as Amazon's former JavaScript client has it", async () => {
    const client = ownersClient(testServer);
    const body = "<b>north</b>";
    const moved = {
      "Content-Type": "text/plain",
      "Content-MD5": createHash("md5").update(body).digest("base64"),
      "Cache-Control": "max-age=5",
    };
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { query: object }).query, moved);
        return next(args);
      },
      { step: "build" },
    );
    const url = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: "moved" }));
    client.destroy();
    const headers = { "content-type": "text/html" };
    expect((await visit(url, "PUT", { headers, body: "forged" })).text).toContain("BadDigest");
    expect((await visit(url, "PUT", { headers, body })).status).toBe(200);
    const stored = await owner.send(new GetObjectCommand({ Bucket, Key: "moved" }));
    expect([stored.ContentType, stored.CacheControl]).toEqual(["text/plain", "max-age=5"]);
  });

  test("is not needed if the header is signed, and then the header must be sent as it was", async () => {
    const command = new PutObjectCommand({ Bucket, Key: "signed", Metadata: { by: "Ana" } });
    const url = await getSignedUrl(owner, command, HIDDEN);
    expect((await visit(url, "PUT", { body: "x" })).status).toBe(403);
    expect((await visit(url, "PUT", { headers: { "x-amz-meta-by": "Ben" }, body: "x" })).status).toBe(403);
    expect((await visit(url, "PUT", { headers: { "x-amz-meta-by": "Ana" }, body: "x" })).status).toBe(200);
    expect((await read("signed")).Metadata).toEqual({ by: "Ana" });
  });

  test("is a multipart upload's metadata", async () => {
    const place = { Bucket, Key: "in parts" };
    const begin = new CreateMultipartUploadCommand({ ...place, Metadata: { by: "Ana" } });
    const begun = await visit(await getSignedUrl(owner, begin), "POST");
    const UploadId = /<UploadId>(.+)<\/UploadId>/.exec(begun.text)?.[1];
    const part = new UploadPartCommand({ ...place, UploadId, PartNumber: 1 });
    const { headers } = await visit(await getSignedUrl(owner, part), "PUT", { body: "whole" });
    const list = `<Part><PartNumber>1</PartNumber><ETag>${headers.get("etag")}</ETag></Part>`;
    const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
    const end = await getSignedUrl(owner, new CompleteMultipartUploadCommand({ ...place, UploadId }));
    expect((await visit(end, "POST", { body })).status).toBe(200);
    expect(await read("in parts")).toEqual({ text: "whole", Metadata: { by: "Ana" } });
  });

  test("makes a bucket public", async () => {
    const command = new CreateBucketCommand({ Bucket: "square", ACL: "public-read" });
    expect((await visit(await getSignedUrl(owner, command), "PUT")).status).toBe(200);
    const rows = await testServer.query("select public from storage.buckets where id = 'square'");
    expect(rows).toEqual([{ public: true }]);
  });

  test("is no checksum of the body, which its signer may not know: only a signed header is", async () => {
    const url = await getSignedUrl(owner, new PutObjectCommand({ Bucket, Key: "unknown" }));
    expect(new URL(url).searchParams.get("x-amz-checksum-crc32")).toBe("AAAAAA==");
    expect((await visit(url, "PUT", { body: "written later" })).status).toBe(200);
    expect((await read("unknown")).text).toBe("written later");
    const unhoistableHeaders = new Set(["x-amz-checksum-crc32"]);
    const known = new PutObjectCommand({ Bucket, Key: "known", Body: "agreed" });
    const bound = await getSignedUrl(owner, known, { unhoistableHeaders });
    // The CRC32 of "agreed".
    const headers = { "x-amz-checksum-crc32": "hAeNfg==" };
    expect((await visit(bound, "PUT", { headers, body: "agreed" })).status).toBe(200);
    expect((await visit(bound, "PUT", { headers, body: "forged" })).text).toContain("BadDigest");
  });

  test("cannot contain what no header can", async () => {
    const command = new PutObjectCommand({ Bucket, Key: "broken", Metadata: { by: "Ana\0\n" } });
    const { status, text } = await visit(await getSignedUrl(owner, command), "PUT", { body: "x" });
    expect([status, text]).toEqual([400, expect.stringContaining("<Code>InvalidArgument</Code>")]);
  });

  test("is obeyed for a session's token too, which stays the caller's", async () => {
    const ana = personsClient(testServer, "Ana");
    const source = { Bucket, Key: "stolen", CopySource: "vault/secret.txt" };
    const theft = await visit(await getSignedUrl(ana, new CopyObjectCommand(source)), "PUT");
    expect([theft.status, theft.text]).toEqual([404, expect.stringContaining("<Code>NoSuchKey</Code>")]);
    const list = await visit(await getSignedUrl(ana, new ListObjectsV2Command({ Bucket: "vault" })), "GET");
    expect([list.status, list.text]).toEqual([200, expect.stringContaining("<KeyCount>0</KeyCount>")]);
    expect((await visit(await getSignedUrl(ana, new ListBucketsCommand({})), "GET")).status).toBe(200);
    ana.destroy();
  });
});

describe("a form that uploads to a bucket", () => {
  type Post = { fields?: Record<string, string>; conditions?: unknown[]; expires?: number; as?: S3Client };

  /** Signs a policy that allows the fields as they are, and the conditions. */
  async function sign({ fields = {}, conditions = [], expires = 60_000, as = owner }: Post) {
    const { accessKeyId, secretAccessKey, sessionToken } = await as.config.credentials();
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
    const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
    const all: Record<string, string> = {
      bucket: Bucket,
      ...fields,
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
      "X-Amz-Credential": `${accessKeyId}/${scope}`,
      "X-Amz-Date": time,
      ...(sessionToken && { "X-Amz-Security-Token": sessionToken }),
    };
    const expiration = new Date(Date.now() + expires).toISOString();
    const exact = Object.entries(all).map(([name, value]) => ({ [name]: value }));
    const policy = { expiration, conditions: [...exact, ...conditions] };
    const Policy = Buffer.from(JSON.stringify(policy)).toString("base64");
    return { ...all, Policy, "X-Amz-Signature": createSigner(scope, secretAccessKey)(Policy) };
  }

  async function send(fields: Record<string, string>, text = "by a form", to = Bucket) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append("file", new Blob([text], { type: "text/html" }), "folder\\words.txt");
    return visit(`${testServer.url}/storage/v1/s3/${to}`, "POST", { body });
  }

  test("stores the file as the policy's fields describe it", async () => {
    const described = { "Content-Type": "text/plain", "x-amz-meta-by": "Ana", "Cache-Control": "max-age=5" };
    const size = ["content-length-range", 1, "9"];
    const fields = await sign({ fields: { key: "posted", ...described }, conditions: [size] });
    const { status, headers } = await send(fields);
    expect([status, headers.get("location")]).toEqual([204, `${testServer.url}/storage/v1/s3/window/posted`]);
    const found = await owner.send(new GetObjectCommand({ Bucket, Key: "posted" }));
    expect(found).toMatchObject({
      ContentType: "text/plain",
      CacheControl: "max-age=5",
      Metadata: { by: "Ana" },
      ETag: headers.get("etag"),
    });
    expect(await found.Body?.transformToString()).toBe("by a form");
  });

  test("is answered as its fields ask, and names the file by its own name where they say so", async () => {
    const fields = await sign({
      fields: { success_action_status: "201" },
      conditions: [["starts-with", "$key", "from/"]],
    });
    const { status, text } = await send({ ...fields, key: "from/$" + "{filename}" });
    expect([status, text]).toEqual([201, expect.stringContaining("<Key>from/words.txt</Key>")]);
    expect((await read("from/words.txt")).text).toBe("by a form");
  });

  test.each<[string, Post, Record<string, string>, string]>([
    ["no signature", {}, { "X-Amz-Signature": "" }, "InvalidSignature"],
    ["another signature", {}, { "X-Amz-Signature": "0".repeat(64) }, "SignatureDoesNotMatch"],
    ["another policy than the signed one", {}, { Policy: btoa("{}") }, "SignatureDoesNotMatch"],
    ["a policy that is none", { conditions: [["like", "$key", "a"]] }, {}, "InvalidPolicyDocument"],
    ["a policy that has expired", { expires: -1 }, {}, "Policy expired."],
    [
      "another key",
      {},
      { key: "elsewhere" },
      "Policy Condition failed: {&quot;key&quot;:&quot;refused&quot;}",
    ],
    [
      "a key that does not start as it must",
      { conditions: [["starts-with", "$key", "from/"]] },
      {},
      "failed",
    ],
    ["a field that the policy does not name", {}, { "x-amz-meta-evil": "yes" }, "Extra input fields"],
    ["a file that is too large", { conditions: [["content-length-range", 0, 8]] }, {}, "EntityTooLarge"],
    ["a file that is too small", { conditions: [["content-length-range", 10, 99]] }, {}, "EntityTooSmall"],
    [
      "characters that no header can contain",
      { fields: { "x-amz-meta-a": "\u0007" } },
      {},
      "InvalidArgument",
    ],
  ])("is refused with %s, and nothing is stored", async (_what, { fields, ...policy }, changed, said) => {
    const signed = await sign({ fields: { key: "refused", ...fields }, ...policy });
    const { status, text } = await send({ ...signed, ...changed });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain(said);
    for (const key of ["refused", "elsewhere"]) {
      await expect(read(key)).rejects.toMatchObject({ name: "NoSuchKey" });
    }
  });

  test("is refused in another bucket than the policy's, without a key, or by a user whom no policy lets write", async () => {
    const elsewhere = await send(await sign({ fields: { key: "moved" } }), "x", "vault");
    expect(elsewhere.text).toContain("Policy Condition failed: {&quot;bucket&quot;:&quot;window&quot;}");
    expect((await send(await sign({}))).text).toContain("must contain a field named");
    const ana = personsClient(testServer, "Ana");
    const stranger = await send(await sign({ fields: { key: "hers" }, as: ana }));
    expect([stranger.status, stranger.text]).toEqual([403, expect.stringContaining("AccessDenied")]);
    ana.destroy();
    await expect(read("hers")).rejects.toMatchObject({ name: "NoSuchKey" });
  });
});
