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

const NEW = "d0000000-0000-4000-8000-00000000000d";

/** Ana deletes her account, and a user signs up with the same address, in other letters. */
async function signUpAgain(client: Client, confirmed: boolean, meanwhile = "select"): Promise<void> {
  await becomeAna(client);
  await remove(client);
  await becomeOwner(client);
  await client.query(meanwhile);
  await client.query("insert into auth.users (id, email) values ($1, 'Ana@example.org')", [NEW]);
  // Test databases give everyone an age group.
  await client.query("delete from age_bands where user_id = $1", [NEW]);
  if (confirmed) await confirm(client);
}

const confirm = (client: Client) =>
  client.query("update auth.users set email_confirmed_at = now() where id = $1", [NEW]);

/** What counts for the new account. */
async function standing(client: Client) {
  const { rows } = await client.query(
    `select array(select kind from sanctions where user_id = users.id order by kind) as sanctions,
       private.has_strikes(users.id) as strikes, banned_until > now() as banned,
       (select reason from chat_silences where user_id = users.id) as silence,
       (select band from age_bands where user_id = users.id) as band
     from auth.users as users where id = $1`,
    [NEW],
  );
  return rows[0];
}

const SANCTION = `insert into sanctions (user_id, kind, code, reason, subject_id, until)
  values ('${ACCOUNTS.Ana.id}', $1, 'insult', $1, gen_random_uuid(), $2)`;
const FREE = { sanctions: [], strikes: false, banned: null, silence: null, band: null };

test("sanctions and a child's age group return once the same address is confirmed, and are then kept no longer", async () => {
  await withAna(async (client) => {
    await client.query("update age_bands set band = 'under-13' where user_id = $1", [ACCOUNTS.Ana.id]);
    for (const kind of ["rename", "message"]) await client.query(SANCTION, [kind, null]);
    await client.query(SANCTION, ["silence", "infinity"]);
    const before = await client.query(
      "select kind, created_at, counts_until, until from sanctions order by kind",
    );
    await signUpAgain(client, false);
    expect(await standing(client)).toEqual(FREE);
    const kept = async () => (await client.query("select addresses from private.kept_sanctions")).rows;
    expect(JSON.stringify(await kept())).not.toContain("ana");
    await confirm(client);
    const after = await client.query(
      "select kind, created_at, counts_until, until from sanctions order by kind",
    );
    expect(after.rows).toEqual(before.rows);
    expect(await standing(client)).toEqual({
      sanctions: ["message", "rename", "silence"],
      strikes: true,
      banned: null,
      silence: "silence",
      band: "under-13",
    });
    expect(await kept()).toEqual([]);
    expect((await client.query("select from private.kept_age_bands")).rowCount).toBe(0);
    const rename = "update sanctions set lifted_at = now() where kind = 'rename' returning id";
    expect((await client.query(rename)).rowCount).toBe(1);
  });
});

test("a ban returns also where an address is confirmed at sign-up, and a silence that an admin wrote without a strike", async () => {
  await withAna(async (client) => {
    await client.query("insert into chat_silences (user_id, reason) values ($1, 'Calm down')", [
      ACCOUNTS.Ana.id,
    ]);
    await client.query(SANCTION, ["ban", "infinity"]);
    await client.query("delete from auth.users where id = $1", [ACCOUNTS.Ana.id]);
    const text =
      "insert into auth.users (id, email, email_confirmed_at) values ($1, 'ana@example.org', now())";
    await client.query(text, [NEW]);
    expect(await standing(client)).toMatchObject({
      sanctions: ["ban", "silence"],
      banned: true,
      silence: "Calm down",
    });
    const strikes = "select from sanctions where kind = 'silence' and counts_until > now()";
    expect((await client.query(strikes)).rowCount).toBe(0);
  });
});

test("what is lifted or no longer counts is not kept, nor is an adult's age group, nor that of a child for longer than a month", async () => {
  await withAna(async (client) => {
    await client.query("update age_bands set band = '13-15' where user_id = $1", [ACCOUNTS.Ana.id]);
    await client.query(SANCTION, ["silence", "infinity"]);
    await client.query("update sanctions set lifted_at = now()");
    await client.query(SANCTION, ["rename", null]);
    await client.query("update sanctions set counts_until = now() where kind = 'rename'");
    await signUpAgain(client, true);
    expect(await standing(client)).toEqual(FREE);
  });
  const expire = `update private.kept_sanctions set counts_until = now();
    update private.kept_age_bands set until = now()`;
  for (const meanwhile of [expire, `${expire}; select private.forget_what_counted()`])
    await withAna(async (client) => {
      await client.query("update age_bands set band = 'under-13' where user_id = $1", [ACCOUNTS.Ana.id]);
      await client.query(SANCTION, ["rename", null]);
      await signUpAgain(client, false, meanwhile);
      const { rows } = await client.query(
        "select (select count(*)::int from private.kept_sanctions), (select count(*)::int from private.kept_age_bands) as bands",
      );
      expect(rows).toEqual([meanwhile === expire ? { count: 1, bands: 1 } : { count: 0, bands: 0 }]);
      await confirm(client);
      expect(await standing(client)).toEqual(FREE);
    });
});

test.each([
  ["deleted", "delete from auth.users where id = $1"],
  ["deleted softly", "update auth.users set deleted_at = now(), email = null where id = $1"],
])(
  "a ban that was set in the auth service alone, and what else counts, returns after the account was %s",
  async (_, remove) => {
    await withAna(async (client) => {
      await client.query(SANCTION, ["message", null]);
      await client.query("update auth.users set banned_until = '9999-01-01' where id = $1", [
        ACCOUNTS.Ana.id,
      ]);
      await client.query(remove, [ACCOUNTS.Ana.id]);
      await client.query(
        "insert into auth.users (id, email, email_confirmed_at) values ($1, 'ana@example.org', now())",
        [NEW],
      );
      expect(await standing(client)).toMatchObject({ sanctions: ["ban", "message"], banned: true });
      const strikes = "select kind from sanctions where user_id = $1 and counts_until > now()";
      expect((await client.query(strikes, [NEW])).rows).toEqual([{ kind: "message" }]);
    });
  },
);

test.each([
  ["deleted", "delete from auth.users where id = $1"],
  ["deleted softly", "update auth.users set deleted_at = now(), email = null where id = $1"],
])(
  "what counts for an account that is %s returns to the next one of the same user at a provider that tells no address",
  async (_, remove) => {
    await withAna(async (client) => {
      const identify = (provider: string, id: string, user: string) =>
        client.query(
          `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
           values ($1, $2, '{}', $3, now(), now())`,
          [id, user, provider],
        );
      await client.query("update auth.users set email = null, email_confirmed_at = null where id = $1", [
        ACCOUNTS.Ana.id,
      ]);
      await identify("custom:roblox", "77", ACCOUNTS.Ana.id);
      await client.query("update age_bands set band = 'under-13' where user_id = $1", [ACCOUNTS.Ana.id]);
      await client.query(SANCTION, ["silence", "infinity"]);
      await client.query(remove, [ACCOUNTS.Ana.id]);
      await client.query("delete from auth.identities where user_id = $1", [ACCOUNTS.Ana.id]);
      await client.query("insert into auth.users (id) values ($1)", [NEW]);
      await client.query("delete from age_bands where user_id = $1", [NEW]);
      await identify("discord", "77", NEW);
      await identify("email", NEW, NEW);
      expect(await standing(client)).toEqual(FREE);
      await identify("custom:roblox", "77", NEW);
      expect(await standing(client)).toMatchObject({
        sanctions: ["silence"],
        silence: "silence",
        band: "under-13",
      });
      expect((await client.query("select from private.kept_sanctions")).rowCount).toBe(0);
    });
  },
);
