import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#supabase/database.types.ts";
import { ADD_EDITOR, ADD_MODERATOR, OWNERS, type Person } from "#tests/helpers/people.ts";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

const { Ned, Eve } = OWNERS;
const NAME = "11111111-1111-4111-8111-111111111111.png";
const PATH = `${Ned.id}/${NAME}`;
const contentType = "image/png";
let server: StorageTestServer;
let image: Buffer;

beforeAll(async () => {
  server = await openStorage();
  await server.query(ADD_EDITOR + ADD_MODERATOR);
  await server.query("update private.settings set new_editor_changes = 0");
  image = await picture("png");
});
afterAll(() => server.close());

const uploads = (person: Person) => server.as(person).from("change-uploads");
const shown = (person: Person) => server.as(person).from("change-pictures");
const connect = (person: Person) =>
  createClient<Database>(server.url, server.anonKey, { accessToken: async () => server.keys[person] });
const allow = async (person: Person, from = PATH, to = NAME) =>
  (await uploads(person).move(from, to, { destinationBucket: "change-pictures" })).error;
const count = async (bucket: string) =>
  (await server.query("select from storage.objects where bucket_id = $1", [bucket])).length;

/** Publishes or proposes a value of Spin with the picture. */
async function publish(value: string, name: string | null = NAME, person: Person = "Ned") {
  const [spin] = await server.query("select id, current_value from public.items where slug = 'spin'");
  const { data, error } = await connect(person).rpc("publish_values", {
    cells: [{ item_id: spin?.id, field: "current_value", value, was: spin?.current_value }] as never,
    reason_code: "trades_seen",
    note: "Look at the picture",
    ...(name && { picture: name }),
  });
  return error ?? data[0]?.outcome;
}

/** The last change of Spin's picture as a visitor gets it: in the list, on its page, and by its URL. */
async function seen() {
  const { data } = await connect("visitor").rpc("list_changes", { item_like: "Spin", most: 1 });
  const [spin] = await server.query("select id from public.items where slug = 'spin'");
  const sources = await connect("visitor").rpc("list_item_sources", { of_item: String(spin?.id) });
  const { publicUrl } = shown("visitor").getPublicUrl(NAME).data;
  return [data?.[0]?.picture, sources.data?.[0]?.picture, (await fetch(publicUrl)).status];
}
const NOWHERE = [null, undefined, 400];

beforeEach(async () => {
  await server.query("select set_config('storage.allow_delete_query', 'true', false)");
  await server.query("delete from storage.objects where bucket_id in ('change-uploads', 'change-pictures')");
  await server.query("delete from public.value_proposals");
  await server.query("update public.items set current_value = '7.5K' where slug = 'spin'");
  expect((await uploads("Ned").upload(PATH, image, { contentType })).error).toBe(null);
});

test("a picture is visible only to editors until a second person approves it, and then reveals no name", async () => {
  expect(await publish("8K")).toBe("published");
  expect(await seen()).toEqual(NOWHERE);
  expect((await connect("Eve").rpc("list_waiting_pictures")).data).toMatchObject([
    { path: PATH, item_name: "Spin", old_value: "7.5K", new_value: "8K", changes: 1, uploaded_by: Ned.id },
  ]);
  for (const person of ["visitor", "Ana", "Mia"] as const) {
    expect((await uploads(person).download(PATH)).error, person).not.toBe(null);
    expect((await connect(person).rpc("list_waiting_pictures")).error, person).toMatchObject({
      code: "42501",
    });
  }
  for (const person of ["visitor", "Ana", "Mia", "Ned"] as const) {
    expect(await allow(person), person).not.toBe(null);
  }
  expect(await allow("Eve")).toBe(null);
  expect(await seen()).toEqual([NAME, NAME, 200]);
  expect(
    await server.query("select owner, owner_id from storage.objects where bucket_id = 'change-pictures'"),
  ).toEqual([{ owner: null, owner_id: null }]);
  expect((await connect("Eve").rpc("list_waiting_pictures")).data).toEqual([]);
  expect(
    await server.query("select act, title from public.admin_acts where table_name = 'change_pictures'"),
  ).toEqual([{ act: "update", title: "Spin" }]);
  // An admin can still remove an approved picture.
  await shown("Eve").remove([NAME]);
  expect(await seen()).toEqual(NOWHERE);
});

test("the approved picture is the one that was reviewed: an uploaded picture cannot be replaced", async () => {
  await publish("8K");
  const again = async (upsert: boolean) =>
    (await uploads("Ned").upload(PATH, await picture("png", 30, 30), { contentType, upsert })).error;
  expect(await again(true)).toMatchObject({ statusCode: "403" });
  await uploads("Ned").remove([PATH]);
  expect(await again(false)).toMatchObject({ message: "A picture that was sent is not replaced" });
  expect(await allow("Eve")).not.toBe(null);
});

test("a new editor cannot be the second person for pictures either", async () => {
  await server.query("update public.items set current_value = '7.5K' where slug = 'spin'");
  const path = `${Eve.id}/${NAME}`;
  await uploads("Eve").upload(path, image, { contentType });
  expect(await publish("8K", NAME, "Eve")).toBe("published");
  await server.query("update private.settings set new_editor_changes = 20");
  expect(await allow("Ned", path)).not.toBe(null);
  await server.query("update private.settings set new_editor_changes = 0");
  expect(await allow("Ned", path)).toBe(null);
});

test("a picture that belongs to no change cannot be published, nor one under another name", async () => {
  expect(await allow("Eve")).not.toBe(null);
  await publish("8K");
  expect(await allow("Eve", PATH, "other.png")).not.toBe(null);
  expect(await count("change-pictures")).toBe(0);
});

test("no change is published with a missing picture or another user's", async () => {
  const gone = { code: "23514", message: "The picture is not there any more: choose it again" };
  expect(await publish("8K", "22222222-2222-4222-8222-222222222222.png")).toMatchObject(gone);
  expect(await publish("8K", NAME, "Eve")).toMatchObject(gone);
  expect(await publish("8K", null)).toBe("published");
});

describe("an unused picture is deleted", () => {
  test("when a second person refuses it, while its change stays", async () => {
    await publish("8K");
    expect((await uploads("Eve").remove([PATH])).data).toHaveLength(1);
    expect([await count("change-uploads"), await seen()]).toEqual([0, NOWHERE]);
  });

  test.each([
    ["rejected", "Eve"],
    ["withdrawn", "Ned"],
  ] as const)("with its proposal, %s by %s", async (state, person) => {
    expect(await publish("80K")).toBe("waiting");
    const [proposal] = await server.query("select id from public.value_proposals");
    const ids = [Number(proposal?.id)];
    const client = connect(person);
    if (state === "rejected") await client.rpc("reject_proposals", { ids, note: "No" }).throwOnError();
    else await client.rpc("withdraw_proposals", { ids }).throwOnError();
    expect(await count("change-uploads")).toBe(0);
  });

  test("but not while another proposal uses it", async () => {
    await publish("80K");
    // A new proposal for the same cell replaces the user's previous one.
    await publish("81K");
    expect(await server.query("select state from public.value_proposals order by id")).toEqual([
      { state: "withdrawn" },
      { state: "waiting" },
    ]);
    expect(await count("change-uploads")).toBe(1);
  });
});

test("an approved proposal's picture enters the ledger, where it waits for a second person", async () => {
  await publish("80K");
  const [proposal] = await server.query("select id from public.value_proposals");
  await connect("Eve")
    .rpc("approve_proposals", { ids: [Number(proposal?.id)] })
    .throwOnError();
  expect(await seen()).toEqual(NOWHERE);
  expect(await allow("Eve")).toBe(null);
  expect(await seen()).toEqual([NAME, NAME, 200]);
});

test("a user has at most 20 waiting pictures; those left by a lost connection do not count", async () => {
  const add = (index: number) => uploads("Ned").upload(`${Ned.id}/more-${index}.png`, image, { contentType });
  for (let index = 1; index < 20; index += 1) expect((await add(index)).error).toBe(null);
  expect((await add(20)).error).toMatchObject({
    message: "20 pictures of yours wait already: let somebody look at them first",
  });
  await publish("8K");
  await server.query(
    "update storage.objects set created_at = now() - interval '2 days' where bucket_id = 'change-uploads'",
  );
  expect((await add(20)).error).toBe(null);
  const left = await server.query(
    "select name from storage.objects where bucket_id = 'change-uploads' order by name",
  );
  expect(left).toEqual([{ name: PATH }, { name: `${Ned.id}/more-20.png` }]);
});

test("a picture that is too large, a file that is no picture, and another user's folder are refused", async () => {
  const upload = async (name: string, body: Buffer | string, type = contentType) =>
    (await uploads("Ned").upload(name, body, { contentType: type })).error;
  const large = Buffer.concat([image, Buffer.alloc(2_097_152)]);
  expect(await upload(`${Ned.id}/a.png`, large)).toMatchObject({ statusCode: "413" });
  expect(await upload(`${Ned.id}/a.png`, "<svg/>", "image/svg+xml")).toMatchObject({ statusCode: "415" });
  expect(await upload(`${Eve.id}/a.png`, image)).toMatchObject({ statusCode: "403" });
  expect((await uploads("Mia").upload(`${OWNERS.Mia.id}/a.png`, image, { contentType })).error).not.toBe(
    null,
  );
});

test("deleting the account deletes its pictures, both waiting and published", async () => {
  await publish("8K");
  await allow("Eve");
  expect((await uploads("Ned").upload(`${Ned.id}/waits.png`, image, { contentType })).error).toBe(null);
  await server.query("delete from auth.users where id = $1", [Ned.id]);
  expect([await count("change-uploads"), await count("change-pictures")]).toEqual([0, 0]);
  expect(await seen()).toEqual(NOWHERE);
  const [change] = await server.query(
    "select new_value, changed_by from public.item_value_changes order by id desc limit 1",
  );
  expect(change).toEqual({ new_value: "8K", changed_by: null });
});
