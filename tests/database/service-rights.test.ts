import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import {
  ADD_EDITOR,
  ADD_MODERATOR,
  attempt,
  become,
  becomeOwner,
  OWNERS,
  type Owner,
  type Person,
} from "#tests/helpers/people.ts";

const PEOPLE: Person[] = ["visitor", "Guest", "Ana", "Eve", "Mia", "Ned"];
const HOLDERS = Object.entries(OWNERS).filter(([name]) => name !== "Ben");
const idOf = (person: Person) => OWNERS[person as Owner]?.id ?? "nobody";

const database = ownDatabase(`
  ${ADD_MODERATOR} ${ADD_EDITOR}
  insert into auth.users (id, is_anonymous) values ('${OWNERS.Guest.id}', true);
  -- As if it had got past the rule that it has none.
  insert into public.age_bands (user_id, band) values ('${OWNERS.Guest.id}', '18-or-older');
  insert into storage.buckets (id, name) values ('other', 'other');
  update private.settings set takes_uploads = true`);

/** The files that somebody reaches, as a condition on `name`, where `$1` is the folder of the person. */
const REACHES: Record<string, string> = {
  n: "false",
  o: "starts_with(name, $1)",
  x: "not starts_with(name, $1)",
  // Own pictures, but for those kept as evidence; and the same with the pictures of others.
  e: "starts_with(name, $1) and name not like '%/bad-1.png'",
  m: "not starts_with(name, $1) or name not like '%/bad-1.png'",
  a: "true",
};

/** Select, insert, update and delete of the files of each bucket, in the order of PEOPLE; `r`efused with 42501. */
const BUCKETS: Record<string, { rights: string; move?: string; isShared?: true }> = {
  "item-images": { rights: "nrnn nrnn nrnn aaaa nrnn nrnn", isShared: true },
  "archived-images": { rights: "nrnn nrnn nrnn arnn nrnn nrnn", isShared: true },
  avatars: { rights: "nrnn ornn orne arnm arnm orne" },
  "avatar-uploads": { rights: "nrnn ornn oono aoxa aoxa oono", move: "bucket_id = 'avatars'" },
  "change-uploads": {
    rights: "nrnn ornn orno aoxa orno aono",
    move: "bucket_id = 'change-pictures', name = split_part(name, '/', 2)",
  },
  "change-pictures": { rights: "nrnn nrnn nrnn arna nrnn arnn", isShared: true },
  other: { rights: "nrnn nrnn nrnn nrnn nrnn nrnn", isShared: true },
};

/** Files of everyone in the bucket, alone in storage, so that statements need no condition. */
async function addFiles(client: Client, bucket: string, isShared = false): Promise<void> {
  await becomeOwner(client);
  const names = isShared
    ? ["there.png", "there-too.png"]
    : HOLDERS.flatMap(([name, { id }]) =>
        [name, ...(bucket === "avatars" ? ["bad-1"] : [])].map((file) => `${id}/${file}.png`),
      );
  for (const name of names)
    await client.query("insert into storage.objects (bucket_id, name) values ($1, $2)", [bucket, name]);
  await client.query(
    `insert into public.value_proposals (item_id, field, new_value, reason_code, state, proposed_by, picture)
     select items.id, 'demand', 'low', 'other', 'waiting', split_part(name, '/', 1)::uuid, split_part(name, '/', 2)
     from storage.objects, (select id from public.items limit 1) as items where bucket_id = 'change-uploads'`,
  );
  if (bucket !== "avatars") return;
  await client.query(
    `update public.profiles set avatar_url = '/storage/v1/object/public/avatars/' || id || '/bad-1.png'
     where id::text in (select split_part(name, '/', 1) from storage.objects)`,
  );
  await client.query(
    `insert into public.reports (kind, subject_id, reporter_id) select 'picture', id, $1 from public.profiles
     where avatar_url like '%/bad-1.png'`,
    [OWNERS.Ben.id],
  );
  await client.query("update public.profiles set avatar_url = null");
}

const listFiles = (client: Client) =>
  client.query("select ctid::text as place, name from storage.objects").then(({ rows }) => rows);

async function filesReached(client: Client, person: Person, bucket: string, verb: string) {
  const { move = "last_accessed_at = now()", isShared } = BUCKETS[bucket] as (typeof BUCKETS)[string];
  await addFiles(client, bucket, isShared);
  const before = await listFiles(client);
  await become(client, person);
  if (verb === "select") return (await listFiles(client)).map(({ name }) => name).sort();
  await client.query(
    verb === "update" ? `update storage.objects set ${move}` : "delete from storage.objects",
  );
  await becomeOwner(client);
  const left = new Set((await listFiles(client)).map(({ place }) => place));
  return before
    .filter(({ place }) => !left.has(place))
    .map(({ name }) => name)
    .sort();
}

/** In whose folders a file can be added. */
async function foldersOpen(client: Client, person: Person, bucket: string) {
  await become(client, person);
  const open: string[] = [];
  for (const [name, { id }] of HOLDERS) {
    const file = BUCKETS[bucket]?.isShared ? `${name}.png` : `${id}/${id}.png`;
    const add = "insert into storage.objects (bucket_id, name) values ($1, $2)";
    await attempt(client, add, [bucket, file]).then(
      () => open.push(name),
      ({ code }) => expect(code).toBe("42501"),
    );
  }
  return open;
}

const cells = Object.entries(BUCKETS).flatMap(([bucket, { rights }]) =>
  rights.split(" ").map((letters, index) => ({ bucket, letters, person: PEOPLE[index] as Person })),
);

describe("files that each person may read and write", () => {
  test.each(cells)("$person in $bucket: $letters", async ({ bucket, letters, person }) => {
    const { as } = database;
    for (const [index, verb] of ["select", "insert", "update", "delete"].entries()) {
      const letter = letters[index] as string;
      if (verb === "insert") {
        const open = await as(person, (client) => foldersOpen(client, person, bucket));
        const all = HOLDERS.map(([name]) => name);
        expect([verb, open]).toEqual([verb, { r: [], o: [person], a: all }[letter]]);
        continue;
      }
      const expected = await as(person, async (client) => {
        await addFiles(client, bucket, BUCKETS[bucket]?.isShared);
        const condition = (REACHES[letter] as string).replaceAll("$1", `'${idOf(person)}/'`);
        const { rows } = await client.query(`select name from storage.objects where ${condition}`);
        return rows.map(({ name }) => name).sort();
      });
      expect([verb, await as(person, (client) => filesReached(client, person, bucket, verb))]).toEqual([
        verb,
        expected,
      ]);
    }
  });
});

test.each(Object.keys(BUCKETS))(
  "no file of %s is moved to where its kind does not belong",
  async (bucket) => {
    for (const person of ["Eve", "Mia", "Ned"] as const)
      await database.as(person, async (client) => {
        await addFiles(client, bucket, BUCKETS[bucket]?.isShared);
        const from = (await listFiles(client)).length;
        await become(client, person);
        await attempt(client, "update storage.objects set bucket_id = 'other'").catch(({ code }) =>
          expect(code).toBe("42501"),
        );
        await becomeOwner(client);
        const left = await client.query("select from storage.objects where bucket_id = $1", [bucket]);
        expect(left.rowCount).toBe(from);
      });
  },
);

const SESSION = "5e550000-0000-4000-8000-000000000005";
const STAFF = "Eve Mia Ned";
const FULL = "Ana Eve Mia Ned";

/** Who may join a private channel and send in it, by topic and extension; nobody else may anything. */
const TOPICS: [topic: string, extension: string, join: string, send: string][] = [
  ["chat", "presence", FULL, FULL],
  ["chat", "broadcast", "", ""],
  ["chat2", "presence", "", ""],
  ["admin-desk", "broadcast", STAFF, ""],
  ["admin-desk", "presence", "", ""],
  ["an-admin-desk", "broadcast", "", ""],
  ["catalogue", "broadcast", `visitor Guest ${FULL}`, ""],
  ["catalogue", "presence", "", ""],
  [`session:${SESSION}`, "broadcast", `Guest ${FULL}`, ""],
  [`session:${SESSION}`, "presence", "", ""],
  ["session:5e550000-0000-4000-8000-000000000006", "broadcast", "", ""],
  ["room", "broadcast", "", ""],
];

/** Whether the person's session, with more claims, joins and sends. */
function channelRights(
  person: Person,
  topic: string,
  extension: string,
  claims: object = {},
  payload = "{}",
) {
  return database.as(person, async (client) => {
    await becomeOwner(client);
    await client.query("insert into realtime.messages (topic, extension) values ($1, $2)", [
      topic,
      extension,
    ]);
    await become(client, person);
    const session = person === "visitor" ? {} : { session_id: SESSION, ...claims };
    await client.query(
      `select set_config('realtime.topic', $1, true),
         set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb || $2)::text, true)`,
      [topic, JSON.stringify(session)],
    );
    const { rowCount } = await client.query("select from realtime.messages");
    const send = "insert into realtime.messages (topic, extension, payload) values ($1, $2, $3)";
    const sends = await attempt(client, send, [topic, extension, payload]).then(
      () => true,
      () => false,
    );
    return [rowCount === 1, sends];
  });
}

describe("channels that each person may join, and send in", () => {
  test.each(TOPICS)("%s, %s", async (topic, extension, join, send) => {
    for (const person of PEOPLE) {
      const expected = [join, send].map((people) => people.split(" ").includes(person));
      expect([person, await channelRights(person, topic, extension)]).toEqual([person, expected]);
    }
  });

  test("presence carries nothing, and an application joins no more than a visitor", async () => {
    expect(await channelRights("Ana", "chat", "presence", {}, '{"name":"x"}')).toEqual([true, false]);
    const application = { client_id: "an application" };
    expect(await channelRights("Ana", "chat", "presence", application)).toEqual([false, false]);
    expect(await channelRights("Eve", "admin-desk", "broadcast", application)).toEqual([false, false]);
    expect(await channelRights("Ana", "catalogue", "broadcast", application)).toEqual([true, false]);
  });
});
