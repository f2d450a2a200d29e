import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner } from "#tests/helpers/people.ts";

const { Ana, Ben } = ACCOUNTS;
const PARENT = "parent@example.net";
const { as } = ownDatabase(
  `update private.settings set site_url = 'https://values.test', site_name = 'Fruit <Values>';
  insert into public.age_bands values ('${Ana.id}', 'under-13'), ('${Ben.id}', '18-or-older')`,
  { asksAge: true },
);

const asAna = <Result>(act: (client: Client) => Promise<Result>) => as("Ana", act);
const askParent = (client: Client, email: string) => attempt(client, "select public.ask_parent($1)", [email]);
const say = (client: Client) =>
  attempt(client, "insert into public.chat_messages (message) values ('Hello')");
const decide = (client: Client, key: string, decision: string) =>
  attempt(client, "select public.decide_as_parent($1, $2) as state", [key, decision]);

async function readMails(
  client: Client,
): Promise<{ to: string; subject: string; text: string; html: string }[]> {
  await becomeOwner(client);
  const { rows } = await client.query(
    "select message from backend.mail_queue order by created_at, next_try_at",
  );
  return rows.map(({ message }) => message);
}

/** The key in the last link mailed to a parent. */
async function readKey(client: Client): Promise<string> {
  const mails = await readMails(client);
  return /#key=(\w+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
}

async function ask(client: Client): Promise<string> {
  await askParent(client, ` ${PARENT.toUpperCase()} `);
  return await readKey(client);
}

test("a parent is asked by mail and consents: the child may write from then on", async () => {
  await asAna(async (client) => {
    const key = await ask(client);
    const [mail] = await readMails(client);
    expect(mail).toMatchObject({
      to: PARENT,
      subject: `${Ana.username} asks for your permission at Fruit <Values>`,
    });
    expect(mail?.text).toContain(`https://values.test/parents/consent#key=${key}`);
    expect(mail?.html).toContain("Fruit &lt;Values>");
    const kept = await client.query("select encode(token_hash, 'hex') as hash from private.parent_links");
    expect(kept.rows[0].hash).not.toContain(key.slice(0, 10));
    await become(client, "visitor");
    const shown = await client.query("select username, state from public.show_to_parent($1)", [key]);
    expect(shown.rows).toEqual([{ username: Ana.username, state: "asked" }]);
    expect((await decide(client, key, "allow")).rows).toEqual([{ state: "allowed" }]);
    await become(client, "Ana");
    await say(client);
    await becomeOwner(client);
    const log = await client.query(
      "select act, at is not null as timed from private.consent_log order by id",
    );
    expect(log.rows).toEqual([
      { act: "asked", timed: true },
      { act: "allowed", timed: true },
    ]);
    expect((await readMails(client)).map(({ subject }) => subject)[1]).toContain("You allowed");
  });
});

test("a parent refuses, or withdraws consent later; the parent's address is then deleted", async () => {
  const addressOf = async (client: Client) => {
    await becomeOwner(client);
    return (await client.query("select state, parent_email from private.parental_consents")).rows;
  };
  await asAna(async (client) => {
    const key = await ask(client);
    await become(client, "visitor");
    await decide(client, key, "refuse");
    expect(await addressOf(client)).toEqual([{ state: "refused", parent_email: null }]);
    await become(client, "Ana");
    await expect(say(client)).rejects.toMatchObject({ detail: "child" });
    const second = await ask(client);
    await become(client, "visitor");
    await expect(decide(client, key, "allow")).rejects.toMatchObject({ code: "PT404" });
    await decide(client, second, "allow");
    await become(client, "Ana");
    await client.query(
      "update public.profiles set username = 'LuckyCrab77', listed = true where id = auth.uid()",
    );
    await say(client);
    await becomeOwner(client);
    await client.query("insert into storage.objects (bucket_id, name) values ('avatar-uploads', $1)", [
      `${Ana.id}/me.png`,
    ]);
    await become(client, "visitor");
    await decide(client, second, "withdraw");
    expect(await addressOf(client)).toEqual([{ state: "withdrawn", parent_email: null }]);
    expect((await client.query("select from storage.objects")).rowCount).toBe(0);
    const { rows } = await client.query("select listed, username from public.profiles where id = $1", [
      Ana.id,
    ]);
    expect(rows[0].listed).toBe(false);
    expect(rows[0].username).not.toBe("LuckyCrab77");
    // Nor do their messages still show the name that they chose.
    await becomeOwner(client);
    const said = await client.query("select username from public.chat_messages where user_id = $1", [Ana.id]);
    expect(said.rows.at(-1)).toEqual({ username: rows[0].username });
    await become(client, "Ana");
    await expect(say(client)).rejects.toMatchObject({ detail: "child" });
  });
});

test("a parent withdraws on the child's device as on any other: it is no rename of the child's", async () => {
  await asAna(async (client) => {
    const key = await ask(client);
    await become(client, "Ana");
    await decide(client, key, "allow");
    for (const name of ["LuckyCrab1", "LuckyCrab2", "LuckyCrab3"])
      await client.query("update public.profiles set username = $1 where id = auth.uid()", [name]);
    await becomeOwner(client);
    await client.query(
      "insert into public.sanctions (user_id, kind, code, reason) values ($1, 'rename', 'insult', 'Be kind')",
      [Ana.id],
    );
    for (const pending of [true, false]) {
      await become(client, "Ana");
      await client.query("savepoint before_the_withdrawal");
      expect((await decide(client, key, "withdraw")).rows).toEqual([{ state: "withdrawn" }]);
      await becomeOwner(client);
      const { rows } = await client.query("select done_at from public.sanctions");
      expect(rows).toEqual(pending ? [{ done_at: null }] : []);
      await client.query("rollback to savepoint before_the_withdrawal");
      await becomeOwner(client);
      await client.query("delete from public.sanctions");
    }
  });
});

test("a forced rename that is lifted after a parent withdrew does not give the child the chosen name back", async () => {
  await asAna(async (client) => {
    const key = await ask(client);
    await become(client, "visitor");
    await decide(client, key, "allow");
    await become(client, "Ana");
    await client.query("update public.profiles set username = 'LuckyCrab77' where id = auth.uid()");
    await become(client, "Eve");
    await client.query(
      "insert into public.sanctions (user_id, kind, code, reason) values ($1, 'rename', 'insult', 'Be kind')",
      [Ana.id],
    );
    await become(client, "visitor");
    await decide(client, key, "withdraw");
    await become(client, "Eve");
    expect((await client.query("update public.sanctions set lifted_at = now()")).rowCount).toBe(1);
    await becomeOwner(client);
    const { rows } = await client.query("select username from public.profiles where id = $1", [Ana.id]);
    expect(rows[0].username).not.toBe("LuckyCrab77");
  });
});

test("a parent sees, exports and deletes all stored data about the child", async () => {
  await asAna(async (client) => {
    const key = await ask(client);
    await become(client, "visitor");
    await decide(client, key, "allow");
    await become(client, "Ana");
    await say(client);
    await become(client, "visitor");
    const { rows } = await client.query("select public.export_as_parent($1) as data", [key]);
    expect(rows[0].data).toMatchObject({
      profile: { username: Ana.username },
      age_group: "under-13",
      chat_messages: [{ message: "Hello" }],
      permissions: [{ act: "asked" }, { act: "allowed" }, { act: "exported" }],
    });
    expect(JSON.stringify(rows[0].data)).not.toContain(Ana.email);
    await client.query("select public.delete_as_parent($1)", [key]);
    await becomeOwner(client);
    const left = await client.query("select from auth.users where id = $1", [Ana.id]);
    expect(left.rowCount).toBe(0);
    expect((await client.query("select from private.parental_consents")).rowCount).toBe(0);
  });
});

const NOT_EXPORTED = [
  // How the child signs in, and on what: secret, or in the download of one's own data.
  "auth.identities",
  "auth.mfa_factors",
  "auth.oauth_authorizations",
  "auth.oauth_consents",
  "auth.one_time_tokens",
  "auth.sessions",
  "auth.webauthn_challenges",
  "auth.webauthn_credentials",
  "backend.known_devices",
  "backend.recovery_codes",
  "backend.ways_back",
  "private.full_accounts",
  // Copies for moderators, kept for a day or until the case is closed.
  "case_notes",
  "chat_originals",
  "deleted_chat_messages",
  "second_opinions",
  // Of people with a role.
  "archived_items",
  "editor_names",
  "item_demand_changes",
  "item_value_changes",
  "item_value_checks",
  "notice_mails",
  "user_roles",
  "value_proposals",
  "value_sets",
  "work_skips",
  // Limits, names to be replaced, links, file names, and what show_to_parent shows.
  "private.daily_acts",
  "private.outgrown_names",
  "private.paces",
  "private.parent_links",
  "private.parental_consents",
  "private.refused_texts",
  "private.sent_avatars",
];

test("every table with a user's rows is part of the export, or holds nothing of a child's", async () => {
  await asAna(async (client) => {
    await becomeOwner(client);
    const { rows } = await client.query(
      `select distinct conrelid::regclass::text as name
       from pg_constraint
       join pg_class on pg_class.oid = conrelid
       join pg_namespace on pg_namespace.oid = relnamespace
       where contype = 'f'
         and confrelid in ('auth.users'::regclass, 'public.profiles'::regclass, 'public.sanctions'::regclass)
         and (select prosrc from pg_proc where proname = 'export_as_parent')
           !~ format('\\m(from|join) %s\\.%s\\M', nspname, relname)`,
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(NOT_EXPORTED.toSorted());
  });
});

test("nobody, the child included, can answer with a guessed, expired or foreign key", async () => {
  await asAna(async (client) => {
    const key = await ask(client);
    await become(client, "Ana");
    for (const guess of ["", "x", key.slice(1), "0".repeat(64), key.toUpperCase()])
      for (const act of [
        "show_to_parent($1)",
        "decide_as_parent($1, 'allow')",
        "export_as_parent($1)",
        "delete_as_parent($1)",
      ])
        await expect(attempt(client, `select public.${act}`, [guess]), act).rejects.toMatchObject({
          code: "PT404",
          message: "This link is no longer valid",
        });
    for (const table of ["parental_consents", "parent_links", "consent_log", "parent_paces"])
      for (const verb of ["select * from", "delete from"])
        await expect(attempt(client, `${verb} private.${table}`)).rejects.toMatchObject({ code: "42501" });
    await becomeOwner(client);
    await client.query("update private.parent_links set expires_at = now() - interval '1 second'");
    await become(client, "visitor");
    await expect(decide(client, key, "allow")).rejects.toMatchObject({ code: "PT404" });
  });
});

test("a child who asks the same parent again at once, as after a lost answer, sends one mail, whose link works", async () => {
  await asAna(async (client) => {
    const key = await ask(client);
    await become(client, "Ana");
    await askParent(client, PARENT);
    expect(await readKey(client)).toBe(key);
    expect((await decide(client, key, "allow")).rows).toEqual([{ state: "allowed" }]);
  });
  await asAna(async (client) => {
    const key = await ask(client);
    await becomeOwner(client);
    await client.query("update private.parental_consents set changed_at = now() - interval '2 minutes'");
    await become(client, "Ana");
    await askParent(client, PARENT);
    expect(await readKey(client)).not.toBe(key);
  });
});

test.each([
  `all:${PARENT}`,
  `${PARENT}(2)`,
  `(2)${PARENT}`,
  `${PARENT}.`,
  `"p"${PARENT}`,
  PARENT.replace("e", "\u200be"),
  PARENT.replace("example", "ｅxample"),
])("%s is no address: a mail program would send more to the same parent", async (address) => {
  await asAna(async (client) => {
    await expect(askParent(client, address)).rejects.toMatchObject({ code: "23514" });
  });
});

test("mails to parents are limited to three a day per child and three a day per address", async () => {
  await asAna(async (client) => {
    for (const address of ["one@example.net", "two@example.net", "three@example.net"]) {
      await become(client, "Ana");
      await askParent(client, address);
    }
    await become(client, "Ana");
    await expect(askParent(client, "four@example.net")).rejects.toMatchObject({ code: "PT429" });
  });
  await asAna(async (client) => {
    await ask(client);
    await become(client, "visitor");
    for (let each = 0; each < 5; each++) await client.query("select public.renew_parent_link($1)", [PARENT]);
    await client.query("select public.renew_parent_link('nobody@example.net')");
    // As long for any address, or the duration would tell whose it is.
    for (const address of [PARENT, "nobody@example.net"]) {
      const { rows } = await client.query(
        `select extract(epoch from clock_timestamp() - began) >= 0.05 as took from (
           select clock_timestamp() as began, public.renew_parent_link($1) offset 0
         ) as asked`,
        [address],
      );
      expect([address, rows]).toEqual([address, [{ took: true }]]);
    }
    const mails = await readMails(client);
    expect(mails.map(({ to }) => to)).toEqual([PARENT, PARENT, PARENT]);
    expect(mails[1]?.subject).toContain("Your link");
    const key = /#key=(\w+)/.exec(mails[2]?.text ?? "")?.[1];
    await become(client, "visitor");
    expect((await client.query("select state from public.show_to_parent($1)", [key])).rows).toEqual([
      { state: "asked" },
    ]);
  });
});

test("new links are asked for ten times an hour by one sender, without a word about the address", async () => {
  await asAna(async (client) => {
    await ask(client);
    const askFrom = async (network: string, address: string) => {
      await become(client, "visitor");
      await client.query("select set_config('request.headers', $1, true)", [
        JSON.stringify({ "x-client-network": network }),
      ]);
      return attempt(client, "select public.renew_parent_link($1)", [address]);
    };
    for (let each = 0; each < 10; each++) await askFrom("n1", each % 2 ? PARENT : "nobody@example.net");
    for (const address of [PARENT, "nobody@example.net"])
      await expect(askFrom("n1", address)).rejects.toMatchObject({ code: "PT429" });
    await askFrom("n2", PARENT);
  });
});

test("a parent of several children who allows both is mailed a confirmation of each, however many mails a day", async () => {
  await asAna(async (client) => {
    await becomeOwner(client);
    await client.query("update public.age_bands set band = 'under-13' where user_id = $1", [Ben.id]);
    const keys: string[] = [];
    for (const child of ["Ana", "Ben"] as const) {
      await become(client, child);
      await askParent(client, PARENT);
      keys.push(await readKey(client));
    }
    await become(client, "visitor");
    await client.query("select public.renew_parent_link($1)", [PARENT]);
    for (const key of keys) {
      await become(client, "visitor");
      await decide(client, key, "allow");
    }
    const confirmations = (await readMails(client)).filter(({ subject }) =>
      subject.startsWith("You allowed"),
    );
    expect(confirmations.map(({ to }) => to)).toEqual([PARENT, PARENT]);
  });
});

test("a parent's address may not be the child's own, and users who need no parent cannot submit one", async () => {
  await asAna(async (client) => {
    await expect(askParent(client, Ana.email)).rejects.toMatchObject({ code: "23514" });
    for (const address of ["", "mum", "a@b", "a@b.c,d@e.f", `${"a".repeat(260)}@example.net`])
      await expect(askParent(client, address), address).rejects.toMatchObject({ code: "23514" });
    await become(client, "Ben");
    await expect(askParent(client, PARENT)).rejects.toMatchObject({ code: "PT409" });
    await become(client, "visitor");
    await expect(askParent(client, PARENT)).rejects.toMatchObject({ code: "42501" });
  });
});

test("the address of a parent who does not answer is forgotten after 14 days", async () => {
  await asAna(async (client) => {
    await ask(client);
    await client.query("update private.parental_consents set changed_at = now() - interval '13 days'");
    await client.query("select private.forget_parents()");
    expect((await client.query("select from private.parental_consents")).rowCount).toBe(1);
    await client.query("update private.parental_consents set changed_at = now() - interval '15 days'");
    await client.query("update private.parent_links set expires_at = now() - interval '8 days'");
    await client.query("select private.forget_parents()");
    expect((await client.query("select from private.parental_consents")).rowCount).toBe(0);
    expect((await client.query("select from private.parent_links")).rowCount).toBe(0);
    expect((await client.query("select act from private.consent_log order by id")).rows).toEqual([
      { act: "asked" },
      { act: "forgotten" },
    ]);
  });
});

test("a site that sends no mail says so", async () => {
  await asAna(async (client) => {
    await becomeOwner(client);
    await client.query("update private.settings set site_url = null");
    await become(client, "Ana");
    await expect(askParent(client, PARENT)).rejects.toMatchObject({ code: "PT503" });
  });
});
