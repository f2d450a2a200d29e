import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { personsClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const Bucket = "harbor";
const LOCK = 7;
let testServer: StorageTestServer;
let ana: S3Client;

beforeAll(async () => {
  testServer = await openStorage({ fileSizeLimit: 60, resumableBytesPerPerson: 100, resumablePerPerson: 2 });
  ana = personsClient(testServer, "Ana");
  await testServer.query(
    `insert into storage.buckets (id, name) values ('harbor', 'harbor');
     create policy "all may" on storage.objects for all to authenticated using (bucket_id = 'harbor');`,
  );
});
afterEach(() => testServer.query("delete from storage.s3_multipart_uploads"));
afterAll(async () => {
  ana.destroy();
  await testServer.close();
});

const begin = async (Key: string) =>
  (await ana.send(new CreateMultipartUploadCommand({ Bucket, Key }))).UploadId as string;
const sendPart = (Key: string, UploadId: string, PartNumber: number, Body: string) =>
  ana.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
const outcomesOf = async (attempts: Promise<unknown>[]) =>
  (await Promise.allSettled(attempts))
    .map((outcome) => (outcome.status === "fulfilled" ? "done" : outcome.reason.name))
    .sort();

/** Begins all attempts, lets go of a lock once all of them wait, and returns how they ended. */
async function together(hold: string, attempts: () => Promise<unknown>[], then = "") {
  const holder = new Client({ connectionString: testServer.databaseUrls.superuser });
  await holder.connect();
  await holder.query(`begin; ${hold}`);
  const begun = attempts();
  const outcomes = outcomesOf(begun);
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(() => testServer.query(waiting)).toHaveLength(begun.length);
  await holder.query(`${then}; commit`);
  await holder.end();
  return outcomes;
}

const UPLOADS = "select from storage.s3_multipart_uploads for update";

test("of a part that is sent twice at once, one is kept, and the upload can be completed", async () => {
  const id = await begin("twice");
  const files = (await testServer.files()).length;
  expect(await together(UPLOADS, () => ["one", "two"].map((text) => sendPart("twice", id, 1, text)))).toEqual(
    ["done", "done"],
  );
  const { Parts = [] } = await ana.send(new ListPartsCommand({ Bucket, Key: "twice", UploadId: id }));
  expect(Parts).toHaveLength(1);
  await expect.poll(() => testServer.files()).toHaveLength(files + 1);
  const whole = { Parts: [{ PartNumber: 1, ETag: Parts[0]?.ETag }] };
  await ana.send(
    new CompleteMultipartUploadCommand({ Bucket, Key: "twice", UploadId: id, MultipartUpload: whole }),
  );
});

test("parts that finish at once do not exceed the limit of a file together", async () => {
  const id = await begin("large");
  const attempts = () => [1, 2].map((number) => sendPart("large", id, number, "x".repeat(40)));
  expect(await together(UPLOADS, attempts)).toEqual(["EntityTooLarge", "done"]);
});

test("parts of several uploads that finish at once do not exceed their owner's share together", async () => {
  const ids = [await begin("first"), await begin("second")];
  const attempts = () =>
    ["first", "second"].map((key, index) => sendPart(key, ids[index] ?? "", 1, "x".repeat(55)));
  expect(await together(UPLOADS, attempts)).toEqual(["EntityTooLarge", "done"]);
});

test("uploads that are begun at once do not exceed the number that a person may have", async () => {
  await testServer.query(
    `create function public.doze() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$;
     create trigger doze before insert on storage.s3_multipart_uploads for each row execute function public.doze();`,
  );
  const attempts = () => ["a", "b", "c"].map((key) => begin(key));
  const outcomes = await together(`select pg_advisory_xact_lock(${LOCK})`, attempts);
  await testServer.query("drop trigger doze on storage.s3_multipart_uploads");
  expect(outcomes).toEqual(["SlowDown", "done", "done"]);
});

test("a part that arrives when its upload has ended is told so", async () => {
  const id = await begin("ended");
  const attempts = () => [sendPart("ended", id, 1, "late")];
  const end = "delete from storage.s3_multipart_uploads";
  expect(await together(UPLOADS, attempts, end)).toEqual(["NoSuchUpload"]);
});
