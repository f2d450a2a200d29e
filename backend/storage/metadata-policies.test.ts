import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personsClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
const MOST = 1_000;
const CONDITIONS = {
  pictures: "metadata->>'mimetype' like 'image/%'",
  small: `(metadata->>'contentLength')::int <= ${MOST}`,
  sized: `(metadata->>'size')::int between 1 and ${MOST}`,
  department: "user_metadata->>'department' = 'engineering'",
};
type Bucket = keyof typeof CONDITIONS;

beforeAll(async () => {
  testServer = await openStorage();
  for (const [bucket, condition] of Object.entries(CONDITIONS)) {
    await testServer.query("insert into storage.buckets (id, name) values ($1, $1)", [bucket]);
    await testServer.query(
      `create policy "fills ${bucket}" on storage.objects to authenticated using (bucket_id = '${bucket}')
         with check (bucket_id = '${bucket}' and ${condition})`,
    );
  }
});
afterAll(() => testServer.close());

type File = { bytes?: number; contentType?: string; metadata?: Record<string, string> };
/** Uploads as Ana; returns the message of a refusal. */
type Way = (bucket: Bucket, file: File) => Promise<string | null>;

const refusal = "new row violates row-level security policy";
const bodyOf = ({ bytes = 10 }: File) => Buffer.alloc(bytes, "x");
const optionsOf = ({ contentType = "text/plain", metadata }: File) => ({
  contentType,
  ...(metadata && { metadata }),
});
let uploads = 0;
const newName = () => `file-${uploads++}`;

const raw: Way = async (bucket, file) => {
  const files = testServer.as("Ana").from(bucket);
  return (await files.upload(newName(), bodyOf(file), optionsOf(file))).error?.message ?? null;
};

const byForm: Way = async (bucket, file) => {
  const blob = new Blob([bodyOf(file)], { type: file.contentType ?? "text/plain" });
  const files = testServer.as("Ana").from(bucket);
  return (await files.upload(newName(), blob, optionsOf(file))).error?.message ?? null;
};

/** Without Content-Length. */
const streamed: Way = async (bucket, file) => {
  const stream = new Blob([bodyOf(file)]).stream();
  const files = testServer.as("Ana").from(bucket);
  const options = { ...optionsOf(file), duplex: "half" };
  return (await files.upload(newName(), stream, options)).error?.message ?? null;
};

const resumable = (bucket: Bucket, file: File, deferred: boolean) =>
  new Promise<string | null>((resolve) => {
    const { contentType, metadata } = optionsOf(file);
    const upload = new Upload(
      deferred ? Readable.from([bodyOf(file)], { objectMode: false }) : bodyOf(file),
      {
        endpoint: `${testServer.url}/storage/v1/upload/resumable`,
        headers: { authorization: `Bearer ${testServer.keys.Ana}`, apikey: testServer.anonKey },
        chunkSize: 6_000_000,
        retryDelays: null,
        uploadLengthDeferred: deferred,
        metadata: {
          bucketName: bucket,
          objectName: newName(),
          contentType,
          ...(metadata && { metadata: JSON.stringify(metadata) }),
        },
        onSuccess: () => resolve(null),
        onError: (error) => resolve(String(error)),
      },
    );
    upload.start();
  });

const s3Options = (bucket: Bucket, file: File) => ({
  Bucket: bucket,
  Key: newName(),
  ContentType: file.contentType ?? "text/plain",
  Metadata: file.metadata,
});

const byS3: Way = (bucket, file) =>
  messageOf(
    personsClient(testServer, "Ana").send(
      new PutObjectCommand({ ...s3Options(bucket, file), Body: bodyOf(file) }),
    ),
  );

const byS3Parts: Way = async (bucket, file) => {
  const client = personsClient(testServer, "Ana");
  const options = s3Options(bucket, file);
  const place = { Bucket: bucket, Key: options.Key };
  let UploadId: string | undefined;
  const refused = await messageOf(
    (async () => {
      ({ UploadId } = await client.send(new CreateMultipartUploadCommand(options)));
      const part = { ...place, UploadId, PartNumber: 1 };
      const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: bodyOf(file) }));
      const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
      await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload }));
    })(),
  );
  // Its parts are kept for another attempt.
  if (refused && UploadId) await client.send(new AbortMultipartUploadCommand({ ...place, UploadId }));
  return refused;
};

const messageOf = (sent: Promise<unknown>) =>
  sent.then(
    () => null,
    (cause) => String(cause),
  );

describe.each<[string, Way]>([
  ["a plain upload", raw],
  ["a form", byForm],
  ["a stream of unknown length", streamed],
  ["a resumable upload", (bucket, file) => resumable(bucket, file, false)],
  ["a resumable upload of unknown length", (bucket, file) => resumable(bucket, file, true)],
  ["an upload by S3", byS3],
  ["an upload by S3 in parts", byS3Parts],
])("%s", (_, upload) => {
  test("is judged by policies on its declared type", async () => {
    expect(await upload("pictures", { contentType: "image/png" })).toBe(null);
    expect(await upload("pictures", { contentType: "text/plain" })).toContain(refusal);
  });

  test.each(["small", "sized"] as const)("is judged by policies on its length: %s", async (bucket) => {
    expect(await upload(bucket, { bytes: MOST })).toBe(null);
    expect(await upload(bucket, { bytes: MOST + 1 })).toContain(refusal);
  });

  test("is judged by policies on the caller's own metadata", async () => {
    expect(await upload("department", { metadata: { department: "engineering" } })).toBe(null);
    expect(await upload("department", { metadata: { department: "sales" } })).toContain(refusal);
    expect(await upload("department", {})).toContain(refusal);
  });
});

test("refused uploads leave no file behind", async () => {
  const rows = await testServer.query("select version from storage.objects");
  await expect.poll(testServer.files).toHaveLength(rows.length);
  expect(await testServer.incoming()).toEqual([]);
});
