import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { REENCODED_BUCKETS } from "#server/connection/connect-bundled.ts";
import { ACCOUNTS, type Person } from "#tests/helpers/people.ts";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
let image: Buffer;

beforeAll(async () => {
  testServer = await openStorage();
  await testServer.query("update private.settings set takes_uploads = true");
  image = await picture("png");
});
afterAll(() => testServer.close());
// The same people send pictures in each test, more than they may in an hour.
beforeEach(() => testServer.query("delete from private.paces"));

type Files = ReturnType<ReturnType<StorageTestServer["as"]>["from"]>;
const contentType = "image/png";

/** Every operation on an existing object and on a new one; each returns whether it succeeded. */
const VERBS: Record<string, (files: Files, there: string, other: string) => Promise<boolean>> = {
  list: async (files, there) => {
    const [folder, name] = there.includes("/") ? there.split("/") : ["", there];
    return ((await files.list(folder)).data ?? []).some((entry) => entry.name === name);
  },
  info: async (files, there) => (await files.info(there)).error === null,
  download: async (files, there) => (await files.download(there)).error === null,
  sign: async (files, there) => (await files.createSignedUrl(there, 60)).error === null,
  exists: async (files, there) => (await files.exists(there)).data,
  page: async (files, there) => {
    const found = await files.listV2({ prefix: there, with_delimiter: false });
    return (found.data?.objects.length ?? 0) > 0;
  },
  render: async (files, there) => (await files.download(there, { transform: { width: 9 } })).error === null,
  signMany: async (files, there) => (await files.createSignedUrls([there], 60)).data?.[0]?.error === null,
  add: async (files, _, other) => (await files.upload(other, image, { contentType })).error === null,
  allowUpload: async (files, _, other) => (await files.createSignedUploadUrl(other)).error === null,
  replace: async (files, there) => (await files.update(there, image, { contentType })).error === null,
  upsert: async (files, there) =>
    (await files.upload(there, image, { contentType, upsert: true })).error === null,
  move: async (files, there, other) => (await files.move(there, other)).error === null,
  copy: async (files, there, other) => (await files.copy(there, other)).error === null,
  remove: async (files, there) => ((await files.remove([there])).data ?? []).length === 1,
};

const READS = ["list", "info", "download", "sign", "exists", "page", "render", "signMany"];
/** What everyone can do in a public bucket: read a file whose name they know. */
const OPEN = ["info", "download", "exists", "render"];
const CHANGES_NOTHING = [...READS, "allowUpload"];
const all = Object.keys(VERBS);
const ana = ACCOUNTS.Ana.id;
const nameAvatar = () => `${ana}/${randomUUID()}.png`;
const AVATAR = { there: nameAvatar(), other: nameAvatar() };
const NAMES: Record<string, typeof AVATAR> = {
  "item-images": { there: "there.png", other: "other.png" },
  "archived-images": { there: "there.png", other: "other.png" },
  avatars: AVATAR,
  "avatar-uploads": AVATAR,
  "change-uploads": AVATAR,
  "change-pictures": { there: "there.png", other: "other.png" },
};

const VERDICTS: [person: Person, bucket: string, allowed: string[]][] = [
  ["visitor", "item-images", OPEN],
  ["Ana", "item-images", OPEN],
  ["Ben", "item-images", OPEN],
  ["Eve", "item-images", all],
  ["server", "item-images", all],
  ["visitor", "archived-images", []],
  ["Ana", "archived-images", []],
  ["Eve", "archived-images", READS],
  ["server", "archived-images", all],
  ["visitor", "avatars", OPEN],
  ["Ana", "avatars", [...READS, "remove"]],
  ["Ben", "avatars", OPEN],
  ["Eve", "avatars", [...READS, "remove"]],
  ["server", "avatars", all],
  ["visitor", "avatar-uploads", []],
  // No overwriting: the picture a moderator approves must be the one that was reviewed.
  ["Ana", "avatar-uploads", [...READS, "add", "allowUpload", "copy", "remove"]],
  ["Ben", "avatar-uploads", []],
  ["Eve", "avatar-uploads", [...READS, "remove"]],
  ["server", "avatar-uploads", all],
  ["visitor", "change-uploads", []],
  // Ana was an editor when she added it.
  ["Ana", "change-uploads", [...READS, "remove"]],
  ["Ben", "change-uploads", []],
  ["Eve", "change-uploads", [...READS, "remove"]],
  ["server", "change-uploads", all],
  ["visitor", "change-pictures", OPEN],
  ["Ana", "change-pictures", OPEN],
  ["Eve", "change-pictures", [...READS, "remove"]],
  ["server", "change-pictures", all],
];

test.each(VERDICTS)("%s with %s does only %j", async (person, bucket, allowed) => {
  const { there, other } = NAMES[bucket] as (typeof NAMES)[string];
  const server = testServer.as("server").from(bucket);
  const restore = async () => {
    await server.remove([there, other]);
    await testServer.query("delete from private.sent_avatars");
    await server.upload(there, image, { contentType });
  };
  const done: string[] = [];
  await restore();
  for (const [verb, attempt] of Object.entries(VERBS)) {
    if (!(await attempt(testServer.as(person).from(bucket), there, other))) continue;
    done.push(verb);
    if (!CHANGES_NOTHING.includes(verb)) await restore();
  }
  expect(done).toEqual(allowed);
});

test("everybody sees a picture by its URL, and only pictures that exist", async () => {
  const files = testServer.as("visitor").from("item-images");
  await testServer.as("server").from("item-images").upload("seen.png", image, { contentType, upsert: true });
  expect((await fetch(files.getPublicUrl("seen.png").data.publicUrl)).status).toBe(200);
  expect((await fetch(files.getPublicUrl("unseen.png").data.publicUrl)).status).toBe(400);
});

test("losing the admin role takes effect on pictures at once, even in the middle of an upload", async () => {
  const files = testServer.as("Eve").from("item-images");
  const before = await testServer.files();
  let half: () => void = () => {};
  const isHalf = new Promise<void>((resolve) => {
    half = resolve;
  });
  let rest: (() => void) | undefined;
  const slow = new ReadableStream({
    start(stream) {
      stream.enqueue(image.subarray(0, 100));
      rest = () => {
        stream.enqueue(image.subarray(100));
        stream.close();
      };
    },
    pull: () => half(),
  });
  const underWay = files.upload("half.png", slow, { contentType, duplex: "half" });
  await isHalf;
  await expect.poll(() => testServer.incoming()).toHaveLength(1);
  await testServer.query("delete from public.user_roles where user_id = $1", [ACCOUNTS.Eve.id]);
  rest?.();
  expect((await underWay).error).toMatchObject({ statusCode: "403" });
  expect([await testServer.files(), await testServer.incoming()]).toEqual([before, []]);
  expect((await files.upload("late.png", image, { contentType })).error).toMatchObject({ statusCode: "403" });
  expect((await files.remove(["seen.png"])).data).toEqual([]);
  await testServer.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [
    ACCOUNTS.Eve.id,
  ]);
});

test("an uploaded picture is visible only to its owner and moderators until a moderator approves it", async () => {
  const name = nameAvatar();
  const waiting = testServer.as("Ana").from("avatar-uploads");
  const note = { metadata: { note: "555 1234" }, cacheControl: "1, call 555 1234" };
  expect(
    (await waiting.upload(name, image, { contentType: `${contentType};note=5551234`, ...note })).error,
  ).toBe(null);
  const addresses = ["avatar-uploads", "avatars"].map(
    (bucket) => testServer.as("visitor").from(bucket).getPublicUrl(name).data.publicUrl,
  );
  const statuses = () => Promise.all(addresses.map(async (address) => (await fetch(address)).status));
  expect(await statuses()).toEqual([400, 400]);
  const others = testServer.as("Ben").from("avatar-uploads");
  expect((await others.download(name)).error).not.toBe(null);
  const move = (files: Files) => files.move(name, name, { destinationBucket: "avatars" });
  expect((await move(waiting)).error).not.toBe(null);
  expect((await move(others)).error).not.toBe(null);
  expect((await move(testServer.as("Eve").from("avatar-uploads"))).error).toBe(null);
  expect(await statuses()).toEqual([400, 200]);
  // What its owner said about it is told to nobody.
  const told = await fetch(addresses[1]?.replace("/object/", "/object/info/") ?? "");
  expect(await told.json()).toMatchObject({
    metadata: {},
    cache_control: "no-cache",
    content_type: contentType,
  });
  const shown = await testServer.query("select avatar_url from public.profiles where id = $1", [ana]);
  expect(shown).toEqual([{ avatar_url: `/storage/v1/object/public/avatars/${name}` }]);
  // When another picture replaces it, it is deleted.
  await testServer.query(
    "update public.profiles set avatar_url = '/items/west-dragon.svg#teal' where id = $1",
    [ana],
  );
  expect(await statuses()).toEqual([400, 400]);
});

test("a picture is approved only under its own name, so only for its owner", async () => {
  const mine = nameAvatar();
  const files = testServer.as("Ana").from("avatar-uploads");
  expect((await files.upload(mine, image, { contentType })).error).toBe(null);
  const { error } = await testServer
    .as("Eve")
    .from("avatar-uploads")
    .move(mine, mine.replace(ana, ACCOUNTS.Ben.id), { destinationBucket: "avatars" });
  expect(error).toMatchObject({ statusCode: "403" });
  const shown = await testServer.query("select avatar_url from public.profiles where id = $1", [
    ACCOUNTS.Ben.id,
  ]);
  expect(shown).toEqual([{ avatar_url: null }]);
  expect((await files.remove([mine])).data).toHaveLength(1);
});

test("a waiting picture's name cannot be reused: a moderator approves the picture that was reviewed", async () => {
  const waiting = testServer.as("Ana").from("avatar-uploads");
  const name = nameAvatar();
  expect((await waiting.upload(name, image, { contentType })).error).toBe(null);
  await waiting.remove([name]);
  expect((await waiting.upload(name, await picture("png", 30, 30), { contentType })).error).toMatchObject({
    statusCode: "403",
    message: "A picture that was sent is not replaced",
  });
  const allowed = testServer.as("Eve").from("avatar-uploads");
  expect((await allowed.move(name, name, { destinationBucket: "avatars" })).error).not.toBe(null);
});

test("uploads are refused if the operator accepts none, and to children and users without an age group", async () => {
  const name = nameAvatar();
  const upload = async () =>
    (await testServer.as("Ana").from("avatar-uploads").upload(name, image, { contentType })).error;
  const refused = { statusCode: "403" };
  await testServer.query("update private.settings set takes_uploads = false");
  expect(await upload()).toMatchObject(refused);
  await testServer.query("update private.settings set takes_uploads = true");
  await testServer.query("update public.age_bands set band = 'under-13' where user_id = $1", [ana]);
  expect(await upload()).toMatchObject(refused);
  await testServer.query("delete from public.age_bands where user_id = $1", [ana]);
  expect(await upload()).toMatchObject(refused);
  await testServer.query("insert into public.age_bands values ($1, '18-or-older')", [ana]);
  expect(await upload()).toBe(null);
  await testServer.as("Ana").from("avatar-uploads").remove([name]);
});

test("pictures in every bucket are encoded anew, except those that only admins upload", async () => {
  const buckets = (await testServer.query("select id from storage.buckets")).map(({ id }) => String(id));
  expect(buckets.toSorted()).toEqual([...REENCODED_BUCKETS, "archived-images", "item-images"].toSorted());
  expect(Object.keys(NAMES).toSorted()).toEqual(buckets.toSorted());
});

describe("refused even to users who may upload", () => {
  test("is an item's picture that is too large or not an image (5.image.03)", async () => {
    const files = testServer.as("Eve").from("item-images");
    const six = Buffer.concat([image, Buffer.alloc(6_000_000)]);
    expect((await files.upload("six.png", six, { contentType })).error).toMatchObject({ statusCode: "413" });
    const svg = "<svg xmlns='http://www.w3.org/2000/svg'/>";
    expect((await files.upload("a.png", svg, { contentType })).error).toMatchObject({ statusCode: "415" });
    const honest = { contentType: "image/svg+xml" };
    expect((await files.upload("a.svg", svg, honest)).error).toMatchObject({
      message: "mime type image/svg+xml is not supported",
    });
  });

  test("is an avatar over 1 MiB, an animated one, and one under an invalid name", async () => {
    const files = testServer.as("Ana").from("avatar-uploads");
    const large = Buffer.concat([image, Buffer.alloc(1_048_577)]);
    expect((await files.upload(nameAvatar(), large, { contentType })).error).toMatchObject({
      statusCode: "413",
    });
    const gif = { contentType: "image/gif" };
    expect((await files.upload(nameAvatar(), await picture("gif"), gif)).error).toMatchObject({
      statusCode: "415",
    });
    const name = randomUUID();
    const invalid = [`${name}.png`, `${ana}/deep/${name}.png`, `${ana}/${name}.svg`, `${ana}/${name}.gif`];
    // The last one would be words that everybody reads.
    for (const name of [
      ...invalid,
      `x${nameAvatar()}`,
      `${nameAvatar()}.png`,
      `${ana}/call-me-555-1234.png`,
    ]) {
      expect((await files.upload(name, image, { contentType })).error, name).toMatchObject({
        statusCode: "403",
      });
    }
  });

  describe("is a fifth avatar, so that nobody fills the disk with unused pictures", () => {
    const names = Array.from({ length: 6 }, nameAvatar);
    const tooMany = { statusCode: "403", message: "There is room for 4 pictures per person" };
    beforeEach(async () => {
      await testServer
        .as("server")
        .from("avatar-uploads")
        .remove([AVATAR.there, AVATAR.other, ...names]);
      await testServer.query("delete from private.sent_avatars");
    });

    test("one after the other; and none replaces another", async () => {
      const files = testServer.as("Ana").from("avatar-uploads");
      const upload = async (name: string, upsert = false) =>
        (await files.upload(name, image, { contentType, upsert })).error;
      for (const name of names.slice(0, 4)) expect(await upload(name)).toBe(null);
      expect(await upload(names[4] as string)).toMatchObject(tooMany);
      expect(await upload(names[3] as string, true)).toMatchObject({ statusCode: "403" });
    });

    test("all at once", async () => {
      const add = (name: string) =>
        testServer.query("insert into storage.objects (bucket_id, name) values ('avatar-uploads', $1)", [
          name,
        ]);
      await testServer.query("begin");
      for (const name of names.slice(0, 4)) await add(name);
      const fifth = testServer
        .as("Ana")
        .from("avatar-uploads")
        .upload(names[4] as string, image, { contentType });
      await new Promise((resolve) => setTimeout(resolve, 100));
      await testServer.query("commit");
      expect((await fifth).error).toMatchObject(tooMany);
    });

    test("by URLs signed earlier, also for a user who has left", async () => {
      const files = testServer.as("Ana").from("avatar-uploads");
      const gone = `${ana.replace(/a/g, "c")}/1.png`;
      const signed = await Promise.all(
        names.map(async (name) => (await files.createSignedUploadUrl(name)).data),
      );
      const errors: unknown[] = [];
      for (const address of signed) {
        const { path = "", token = "" } = address ?? {};
        errors.push((await files.uploadToSignedUrl(path, token, image, { contentType })).error);
      }
      expect(errors.slice(0, 4)).toEqual([null, null, null, null]);
      expect(errors[4]).toMatchObject(tooMany);
      const late = await testServer.as("server").from("avatar-uploads").upload(gone, image, { contentType });
      expect(late.error).toMatchObject({ statusCode: "403", message: "There is no such person" });
    });
  });
});
