import { afterAll, beforeAll, expect, test } from "vitest";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;

beforeAll(async () => {
  testServer = await openStorage({ fileSizeLimit: 2_000_000 });
});
afterAll(() => testServer.close());

test("only a server can create, change, empty, remove or see buckets", async () => {
  for (const person of ["visitor", "Ana", "Eve"] as const) {
    const storage = testServer.as(person);
    expect((await storage.createBucket("mine")).error).toMatchObject({
      statusCode: "403",
      status: 400,
      code: "AccessDenied",
      message: "new row violates row-level security policy",
    });
    expect((await storage.listBuckets()).data).toEqual([]);
    const missing = { statusCode: "404", code: "NoSuchBucket", message: "Bucket not found" };
    expect((await storage.getBucket("item-images")).error).toMatchObject(missing);
    expect((await storage.updateBucket("item-images", { public: false })).error).toMatchObject(missing);
    for (const bucket of ["item-images", "none"]) {
      expect((await storage.emptyBucket(bucket)).error).toMatchObject({ status: 403, code: "AccessDenied" });
    }
    expect((await storage.deleteBucket("item-images")).error).toMatchObject(missing);
  }
});

test("a bucket with an invalid name, limit or type is refused", async () => {
  const { createBucket } = bound();
  for (const name of ["a/b", "ü", " edge", "x".repeat(101), ""]) {
    expect((await createBucket(name)).error).toMatchObject({
      statusCode: "400",
      message: "Bucket name invalid",
    });
  }
  const fileSizeLimit = { statusCode: "400", message: expect.stringContaining("hint: use 20GB") };
  expect((await createBucket("limit", { public: false, fileSizeLimit: "much" })).error).toMatchObject(
    fileSizeLimit,
  );
  expect((await createBucket("limit", { public: false, fileSizeLimit: "3MB" })).error).toMatchObject({
    statusCode: "413",
    code: "EntityTooLarge",
  });
  expect((await createBucket("type", { public: false, allowedMimeTypes: ["picture"] })).error).toMatchObject({
    statusCode: "415",
    message: "mime type picture is not supported",
  });
});

test("a bucket is created, read, listed, changed, emptied and removed", async () => {
  const storage = testServer.as("server");
  const limits = { public: true, fileSizeLimit: "1MB", allowedMimeTypes: ["image/*"] };
  expect(await storage.createBucket("harbor", limits)).toMatchObject({
    data: { name: "harbor" },
    error: null,
  });
  expect((await storage.createBucket("harbor")).error).toMatchObject({
    statusCode: "409",
    code: "BucketAlreadyExists",
    message: "The resource already exists",
  });
  expect((await storage.getBucket("harbor")).data).toMatchObject({
    id: "harbor",
    public: true,
    file_size_limit: 1_000_000,
    allowed_mime_types: ["image/*"],
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  const whole = await testServer.request("GET", "/bucket/harbor", { as: "server" });
  expect(Object.keys((await whole.json()) as object).sort()).toEqual([
    "allowed_mime_types",
    "created_at",
    "file_size_limit",
    "id",
    "name",
    "owner",
    "public",
    "updated_at",
  ]);
  expect(await storage.updateBucket("harbor", { public: false, allowedMimeTypes: null })).toMatchObject({
    data: { message: "Successfully updated" },
  });
  expect((await storage.getBucket("harbor")).data).toMatchObject({
    public: false,
    file_size_limit: 1_000_000,
    allowed_mime_types: null,
  });
  const named = await storage.listBuckets({
    search: "HARB",
    limit: 1,
    sortColumn: "name",
    sortOrder: "desc",
  });
  expect(named.data?.map(({ id }) => id)).toEqual(["harbor"]);

  await storage.from("harbor").upload("a/note.txt", "ahoy");
  expect((await storage.deleteBucket("harbor")).error).toMatchObject({
    statusCode: "409",
    message: "The bucket you tried to delete is not empty",
  });
  expect((await storage.emptyBucket("harbor")).error).toBe(null);
  expect((await storage.from("harbor").list()).data).toEqual([]);
  expect((await storage.deleteBucket("harbor")).data).toEqual({ message: "Successfully deleted" });
  expect((await storage.getBucket("harbor")).error).toMatchObject({ statusCode: "404" });
  expect((await storage.emptyBucket("harbor")).error).toMatchObject({ statusCode: "404" });
  await expect.poll(testServer.files).toEqual([]);
});

function bound() {
  const storage = testServer.as("server");
  return { createBucket: storage.createBucket.bind(storage) };
}

test("emptying removes what the caller may remove, however much of the bucket the caller may only see", async () => {
  await testServer.query(
    `insert into storage.buckets (id, name) values ('shared', 'shared');
     create policy "sees shared buckets" on storage.buckets for select to authenticated using (id = 'shared');
     create policy "sees shared" on storage.objects for select to authenticated using (bucket_id = 'shared');
     create policy "removes own" on storage.objects for delete to authenticated
       using (bucket_id = 'shared' and name like 'own/%');
     insert into storage.objects (bucket_id, name, version)
       select 'shared', folder || n, gen_random_uuid()::text
       from unnest(array['all/', 'own/']) as folder, generate_series(1, 1500) as n;`,
  );
  expect((await testServer.as("Ana").emptyBucket("shared")).error).toBeNull();
  const left = await testServer.query(
    "select split_part(name, '/', 1) as folder, count(*)::int from storage.objects where bucket_id = 'shared' group by 1",
  );
  expect(left).toEqual([{ folder: "all", count: 1500 }]);
});
