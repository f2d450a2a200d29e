import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const { Ana, Ben } = ACCOUNTS;

async function say(client: Client): Promise<string> {
  const { rows } = await client.query(
    "insert into public.chat_messages (phrase) values ('is-this-fair') returning id",
  );
  return rows[0].id;
}

const react = (client: Client, id: string, emoji: string) =>
  attempt(client, "insert into public.chat_reactions (message_id, emoji) values ($1, $2)", [id, emoji]);

async function reactionsOf(client: Client, id: string) {
  const { rows } = await client.query("select reactions from public.shown_chat_messages where id = $1", [id]);
  return rows[0].reactions;
}

test("each reaction counts once per user, is returned with the message, and can be taken back", async () => {
  await as("Ana", async (client) => {
    const id = await say(client);
    expect(await reactionsOf(client, id)).toBeNull();
    await react(client, id, "🔥");
    await expect(react(client, id, "🔥")).rejects.toMatchObject({ code: "23505" });
    await react(client, id, "👍");
    await become(client, "Ben");
    await react(client, id, "🔥");
    expect(await reactionsOf(client, id)).toEqual({
      "🔥": expect.arrayContaining([Ana.id, Ben.id]),
      "👍": [Ana.id],
    });
    const taken = await client.query("delete from public.chat_reactions where message_id = $1", [id]);
    expect(taken.rowCount).toBe(1);
    expect(await reactionsOf(client, id)).toEqual({ "🔥": [Ana.id], "👍": [Ana.id] });
    await become(client, "Ana");
    await client.query("delete from public.chat_messages where id = $1", [id]);
    await becomeOwner(client);
    expect((await client.query("select from public.chat_reactions")).rowCount).toBe(0);
  });
});

test("only known reactions, on existing messages, in one's own name", async () => {
  await as("Ana", async (client) => {
    const id = await say(client);
    await expect(react(client, id, "🖕")).rejects.toMatchObject({ code: "23514" });
    await expect(react(client, id, "hi")).rejects.toMatchObject({ code: "23514" });
    await expect(react(client, Ana.id, "🔥")).rejects.toMatchObject({ code: "23503" });
    await expect(
      attempt(
        client,
        "insert into public.chat_reactions (message_id, emoji, user_id) values ($1, '🔥', $2)",
        [id, Ben.id],
      ),
    ).rejects.toMatchObject({ code: "42501" });
  });
});

test("thirty a minute at most, including those taken back", async () => {
  await as("Ana", async (client) => {
    const id = await say(client);
    for (let times = 0; times < 30; times += 1) {
      await react(client, id, "🔥");
      await client.query("delete from public.chat_reactions where message_id = $1", [id]);
    }
    await expect(react(client, id, "🔥")).rejects.toMatchObject({
      code: "PT429",
      message: "You are reacting too fast: at most 30 times a minute",
    });
  });
});

test("a message takes at most a hundred of one reaction", async () => {
  await as("Ana", async (client) => {
    const id = await say(client);
    await becomeOwner(client);
    await client.query(
      `with people as (
         insert into auth.users (id, email)
         select gen_random_uuid(), 'fan' || n || '@example.org' from generate_series(1, 100) as n returning id
       ) select from people`,
    );
    await client.query(
      `insert into public.chat_reactions (message_id, emoji, user_id)
       select $1, '🎉', id from auth.users where email like 'fan%'`,
      [id],
    );
    await become(client, "Ben");
    await expect(react(client, id, "🎉")).rejects.toMatchObject({
      message: "This message has enough of these",
    });
    await react(client, id, "🔥");
  });
});

test("a silenced user cannot react", async () => {
  await as("Eve", async (client) => {
    const id = await say(client);
    await client.query(
      "insert into public.chat_silences (user_id, reason, until) values ($1, 'Rude', now() + interval '1 hour')",
      [Ben.id],
    );
    await become(client, "Ben");
    await expect(react(client, id, "🔥")).rejects.toMatchObject({ code: "PT403" });
  });
});
