import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const SESSION = "50000000-0000-4000-8000-000000000005";
const now = () => Math.floor(Date.now() / 1000);

/** Acts as Ana with a token issued right after sign-in, with some claims overridden. */
async function becomeAna(client: Client, change: Record<string, unknown> = {}): Promise<void> {
  await become(client, "Ana");
  const claims = {
    sub: ACCOUNTS.Ana.id,
    role: "authenticated",
    aal: "aal1",
    session_id: SESSION,
    amr: [{ method: "password", timestamp: now() }],
    ...change,
  };
  await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
}

/** Runs a scene in which Ana has an open session, a message, a rating and a mute. */
const withAna = <Result>(scene: (client: Client) => Promise<Result>) =>
  as("Ana", async (client) => {
    await client.query("insert into chat_messages (message) values ('Ahoy')");
    await client.query("insert into user_ratings (rated_user_id, rating) values ($1, 5)", [ACCOUNTS.Ben.id]);
    await client.query("insert into chat_mutes (muted_user_id) values ($1)", [ACCOUNTS.Ben.id]);
    await become(client, "Ben");
    await client.query("insert into chat_messages (message) values ('Hello')");
    await becomeOwner(client);
    await client.query("insert into auth.sessions (id, user_id) values ($1, $2)", [SESSION, ACCOUNTS.Ana.id]);
    return scene(client);
  });

const remove = (client: Client) => attempt(client, "select public.delete_own_account()");

test.each<Person>(["visitor", "server"])("%s cannot delete an account with it", async (person) => {
  await as(person, async (client) => {
    await expect(remove(client)).rejects.toMatchObject({ code: "42501" });
  });
});

test.each([
  ["signed in too long ago", { amr: [{ method: "password", timestamp: now() - 601 }] }],
  ["of no known sign-in", { amr: undefined }],
  ["of a session that has ended", { session_id: "50000000-0000-4000-8000-000000000006" }],
  ["without a session", { session_id: undefined }],
])("a token %s is not enough", async (_, change) => {
  await withAna(async (client) => {
    await becomeAna(client, change);
    await expect(remove(client)).rejects.toMatchObject({ code: "PT403" });
  });
});

test("a user with a second factor must have used it", async () => {
  await withAna(async (client) => {
    await client.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
      [ACCOUNTS.Ana.id],
    );
    await becomeAna(client);
    await expect(remove(client)).rejects.toMatchObject({ code: "PT403" });
    await becomeAna(client, { aal: "aal2" });
    await remove(client);
  });
});

test("all of the user's data is deleted, and nobody else's", async () => {
  await withAna(async (client) => {
    await becomeAna(client);
    await remove(client);
    await becomeOwner(client);
    const left = async (text: string) => (await client.query(text)).rows;
    expect(await left(`select from auth.users where id = '${ACCOUNTS.Ana.id}'`)).toEqual([]);
    expect(await left("select message from chat_messages")).toEqual([{ message: "Hello" }]);
    expect(await left("select from user_ratings union all select from chat_mutes")).toEqual([]);
    expect(await left("select username from profiles order by 1")).toEqual([
      { username: ACCOUNTS.Ben.username },
      { username: ACCOUNTS.Eve.username },
    ]);
  });
});

test("an admin can leave too, and the log of admin actions stays", async () => {
  await as("Eve", async (client) => {
    await client.query("update items set name = name || '!' where slug = (select min(slug) from items)");
    await becomeOwner(client);
    await client.query("insert into auth.sessions (id, user_id) values ($1, $2)", [SESSION, ACCOUNTS.Eve.id]);
    const acts = async () =>
      (await client.query("select from admin_acts where table_name = 'items'")).rowCount;
    const before = await acts();
    await becomeAna(client, { sub: ACCOUNTS.Eve.id });
    await remove(client);
    await becomeOwner(client);
    expect([before, await acts()]).toEqual([1, 1]);
    expect((await client.query("select from auth.users where id = $1", [ACCOUNTS.Eve.id])).rows).toEqual([]);
  });
});

test("no foreign key keeps a user from leaving", async () => {
  const { rows } = await as("visitor", async (client) => {
    await becomeOwner(client);
    return client.query(
      `select conrelid::regclass as table, conname from pg_constraint
       where contype = 'f' and confdeltype not in ('c', 'n')
         and confrelid in ('auth.users'::regclass, 'public.profiles'::regclass)`,
    );
  });
  expect(rows).toEqual([]);
});
