import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ADD_MODERATOR, attempt, become, becomeOwner, OWNERS } from "#tests/helpers/people.ts";

const { Ana, Ben, Mia } = OWNERS;
const { as } = ownDatabase(
  `${ADD_MODERATOR}
  insert into public.age_bands values ('${Ben.id}', '18-or-older');
  update public.profiles set listed = true where id = '${Ben.id}'`,
  { asksAge: true },
);

const asAna = <Result>(act: (client: Client) => Promise<Result>) => as("Ana", act);
const choose = (client: Client, band: string, listMe = false) =>
  attempt(client, "select public.choose_age_band($1, $2) as standing", [band, listMe]);
const say = (client: Client) =>
  attempt(client, "insert into public.chat_messages (message) values ('Hello') returning id");
const tap = (client: Client) =>
  attempt(
    client,
    "insert into public.chat_messages (phrase) select min(id) from public.quick_phrases where phrase !~ '{'",
  );
const react = (client: Client) =>
  attempt(
    client,
    `insert into public.chat_reactions (message_id, emoji)
     values (coalesce((select id from public.chat_messages limit 1), gen_random_uuid()), '🔥')`,
  );
const rate = (client: Client, comment: string | null) =>
  attempt(client, "insert into public.user_ratings (rated_user_id, rating, comment) values ($1, 5, $2)", [
    Ben.id,
    comment,
  ]);
const answer = (client: Client, text: string | null) =>
  attempt(client, "select public.answer_rating(id, $1) from public.user_ratings", [text]);
const change = (client: Client, column: string, value: unknown) =>
  attempt(client, `update public.profiles set ${column} = $1 where id = auth.uid() returning id`, [value]);

test("nobody is listed, writes, rates or chooses a name before choosing an age group", async () => {
  await asAna(async (client) => {
    const { rows } = await client.query("select listed from public.profiles where id = $1", [Ana.id]);
    expect(rows).toEqual([{ listed: false }]);
    await expect(say(client)).rejects.toMatchObject({
      code: "PT403",
      message: "Choose your age group before you write to others",
      detail: "unasked",
    });
    const first = { code: "PT403", message: "Choose your age group first", detail: "unasked" };
    await expect(tap(client)).rejects.toMatchObject({ code: "PT403", detail: "unasked" });
    await expect(react(client)).rejects.toMatchObject(first);
    await expect(rate(client, "Nice")).rejects.toMatchObject({ code: "PT403", detail: "unasked" });
    await expect(rate(client, null)).rejects.toMatchObject(first);
    await expect(change(client, "listed", true)).rejects.toMatchObject(first);
    await expect(change(client, "username", "LuckyCrab77")).rejects.toMatchObject(first);
  });
});

test("a user who is old enough writes, rates and may choose to be listed", async () => {
  await asAna(async (client) => {
    expect((await choose(client, "13-15")).rows).toEqual([{ standing: "free" }]);
    expect((await say(client)).rowCount).toBe(1);
    await rate(client, "Nice");
    const { rows } = await client.query("select listed from public.profiles where id = auth.uid()");
    expect(rows).toEqual([{ listed: false }]);
    expect((await change(client, "listed", true)).rowCount).toBe(1);
  });
  await asAna(async (client) => {
    await choose(client, "18-or-older", true);
    const { rows } = await client.query("select listed from public.profiles where id = auth.uid()");
    expect(rows).toEqual([{ listed: true }]);
  });
});

describe("a user younger than the operator's limit", () => {
  test("writes no free text, is not listed and keeps the generated name, but may give stars", async () => {
    await asAna(async (client) => {
      expect((await choose(client, "under-13", true)).rows).toEqual([{ standing: "child" }]);
      await expect(say(client)).rejects.toMatchObject({ code: "PT403", detail: "child" });
      expect((await tap(client)).rowCount).toBe(1);
      expect((await react(client)).rowCount).toBe(1);
      await expect(rate(client, "Nice")).rejects.toMatchObject({ code: "PT403", detail: "child" });
      expect((await rate(client, null)).rowCount).toBe(1);
      for (const [column, value] of [
        ["listed", true],
        ["username", "LuckyCrab77"],
      ] as const)
        await expect(change(client, column, value)).rejects.toMatchObject({ code: "PT403", detail: "child" });
      const { rows } = await client.query("select listed from public.profiles where id = auth.uid()");
      expect(rows).toEqual([{ listed: false }]);
    });
  });

  test("does not answer a rating, but removes an answer given before", async () => {
    await as("Ben", async (client) => {
      await becomeOwner(client);
      await client.query(
        "insert into public.user_ratings (rater_id, rated_user_id, rating) values ($1, $2, 5)",
        [Ben.id, Ana.id],
      );
      await become(client, "Ana");
      await expect(answer(client, "Nice")).rejects.toMatchObject({ code: "PT403", detail: "unasked" });
      await choose(client, "under-13");
      await expect(answer(client, "Nice")).rejects.toMatchObject({ code: "PT403", detail: "child" });
      await becomeOwner(client);
      await client.query("update public.user_ratings set answer = 'Nice'");
      await become(client, "Ana");
      await answer(client, null);
      const { rows } = await client.query("select answer from public.user_ratings");
      expect(rows).toEqual([{ answer: null }]);
    });
  });

  test("is determined by the configured limit", async () => {
    await asAna(async (client) => {
      await becomeOwner(client);
      await client.query("update private.settings set age_limit = 16");
      await become(client, "Ana");
      expect((await choose(client, "13-15")).rows).toEqual([{ standing: "child" }]);
    });
  });
});

test("those who are children since the limit was raised are refused everything at once, also an approved picture", async () => {
  await as("Ben", async (client) => {
    await becomeOwner(client);
    await client.query("update public.age_bands set band = '13-15' where user_id = $1", [Ben.id]);
    await client.query("update public.profiles set listed = false where id = $1", [Ben.id]);
    await client.query("insert into storage.objects (bucket_id, name) values ('avatar-uploads', $1)", [
      `${Ben.id}/me.png`,
    ]);
    await client.query("update private.settings set age_limit = 16");
    await become(client, "Ben");
    const refused = { code: "PT403", detail: "child" };
    await expect(say(client)).rejects.toMatchObject(refused);
    await expect(change(client, "listed", true)).rejects.toMatchObject(refused);
    await expect(change(client, "username", "LuckyCrab77")).rejects.toMatchObject(refused);
    await become(client, "Mia");
    await expect(
      attempt(client, "update storage.objects set bucket_id = 'avatars' where bucket_id = 'avatar-uploads'"),
    ).rejects.toMatchObject({ message: "This picture is not allowed" });
  });
});

test("a retry of a stored message is recognized, also if its writer may no longer write", async () => {
  const send = (client: Client) =>
    attempt(client, "insert into public.chat_messages (id, message) values ($1, 'Hello')", [Mia.id]);
  await as("Ben", async (client) => {
    await send(client);
    await becomeOwner(client);
    await client.query("update public.age_bands set band = 'under-13' where user_id = $1", [Ben.id]);
    await become(client, "Ben");
    await expect(send(client)).rejects.toMatchObject({ code: "23505" });
  });
});

test("an age group is chosen once, out of four", async () => {
  await asAna(async (client) => {
    await expect(choose(client, "14")).rejects.toMatchObject({ code: "22023" });
    await choose(client, "under-13");
    await expect(choose(client, "18-or-older")).rejects.toMatchObject({ code: "PT409" });
    await expect(
      attempt(client, "update public.age_bands set band = '18-or-older' where user_id = auth.uid()"),
    ).rejects.toMatchObject({ code: "42501" });
    await become(client, "Ben");
    const { rows } = await client.query("select user_id from public.age_bands");
    expect(rows).toEqual([{ user_id: Ben.id }]);
  });
});

test("only a moderator can change it, and the log records the change but not the new group", async () => {
  const set = (client: Client, band: string) =>
    attempt(client, "select public.set_age_band($1, $2)", [Ben.id, band]);
  await as("Ana", async (client) => {
    await expect(set(client, "under-13")).rejects.toMatchObject({ code: "42501" });
    await becomeOwner(client);
    const files = "select bucket_id from storage.objects where starts_with(name, $1 || '/')";
    await client.query(
      "insert into storage.objects (bucket_id, name) select unnest('{avatars,avatar-uploads}'::text[]), $1 || '/me.png'",
      [Ben.id],
    );
    await client.query(
      "update public.profiles set avatar_url = '/storage/v1/object/public/avatars/' || id || '/me.png' where id = $1",
      [Ben.id],
    );
    await become(client, "Mia");
    await set(client, "under-13");
    await become(client, "Ben");
    await expect(say(client)).rejects.toMatchObject({ detail: "child" });
    await becomeOwner(client);
    const { rows } = await client.query("select listed, username from public.profiles where id = $1", [
      Ben.id,
    ]);
    expect(rows[0]).toMatchObject({ listed: false });
    expect(rows[0].username).not.toBe(Ben.username);
    // Nor can the picture that waits be approved later.
    expect((await client.query(files, [Ben.id])).rows).toEqual([]);
    const acts = await client.query(
      "select act, table_name, old, new from public.admin_acts where person_id = $1 and table_name = 'age_bands'",
      [Ben.id],
    );
    expect(acts.rows).toEqual([{ act: "update", table_name: "age_bands", old: null, new: null }]);
  });
});

test("a child cannot show again the picture that a report keeps as evidence", async () => {
  await as("Ana", async (client) => {
    const show =
      "update public.profiles set avatar_url = '/storage/v1/object/public/avatars/' || id || '/me.png' where id = $1";
    await becomeOwner(client);
    await client.query("insert into storage.objects (bucket_id, name) values ('avatars', $1 || '/me.png')", [
      Ben.id,
    ]);
    await client.query(show, [Ben.id]);
    await become(client, "Ana");
    await client.query("insert into public.reports (kind, subject_id) values ('picture', $1)", [Ben.id]);
    await become(client, "Mia");
    await client.query("select public.set_age_band($1, 'under-13')", [Ben.id]);
    await become(client, "Ben");
    await expect(attempt(client, show, [Ben.id])).rejects.toMatchObject({
      message: "This picture is not allowed",
    });
    await becomeOwner(client);
    expect((await client.query("select from storage.objects where bucket_id = 'avatars'")).rowCount).toBe(1);
  });
});

test("staff who were never asked for their age or must choose a name remove comments and restore them", async () => {
  await as("Mia", async (client) => {
    await becomeOwner(client);
    await client.query("insert into private.outgrown_names (user_id, fault) values ($1, 'Old')", [Mia.id]);
    // One of them about Mia herself.
    await client.query(
      `insert into public.user_ratings (rater_id, rated_user_id, rating, comment, answer)
       values ($1, $3, 1, 'Rude', null), ($2, $1, 1, null, 'Rude')`,
      [Ben.id, Ana.id, Mia.id],
    );
    const said = async () =>
      (await client.query("select coalesce(comment, answer) as text from public.user_ratings")).rows;
    await become(client, "Mia");
    await client.query(
      `insert into public.sanctions (user_id, kind, code, reason, subject_id)
       select $1, 'comment', 'insult', 'Be kind', id from public.user_ratings`,
      [Ben.id],
    );
    expect(await said()).toEqual([{ text: null }, { text: null }]);
    await client.query("update public.sanctions set lifted_at = now()");
    expect(await said()).toEqual([{ text: "Rude" }, { text: "Rude" }]);
  });
});

test("quick talk stays available despite strikes and, if the operator allows it, to new accounts", async () => {
  await as("Ben", async (client) => {
    await becomeOwner(client);
    await client.query("update private.settings set new_account_hours = 24");
    await become(client, "Ben");
    await expect(say(client)).rejects.toMatchObject({ code: "PT403", detail: "new" });
    await becomeOwner(client);
    await client.query("update auth.users set created_at = now() - interval '25 hours' where id = $1", [
      Ben.id,
    ]);
    await client.query("insert into private.full_accounts (user_id) values ($1)", [Ben.id]);
    await become(client, "Ben");
    await expect(say(client)).rejects.toMatchObject({ code: "PT403", detail: "new" });
    await becomeOwner(client);
    await client.query("delete from private.full_accounts");
    await become(client, "Ben");
    await say(client);
    await become(client, "Mia");
    for (let each = 0; each < 3; each++)
      await client.query(
        "insert into public.sanctions (user_id, kind, code, reason) values ($1, 'picture', 'other', 'Not for everybody')",
        [Ben.id],
      );
    await become(client, "Ben");
    await expect(say(client)).rejects.toMatchObject({ code: "PT403", detail: "strikes" });
  });
});

test("a server with the secret key writes for users who have no standing", async () => {
  await as("server", async (client) => {
    const sent = await client.query(
      "insert into public.chat_messages (user_id, message) values ($1, 'Hello')",
      [Ana.id],
    );
    expect(sent.rowCount).toBe(1);
  });
});
