import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, ADD_MODERATOR, attempt, become } from "#tests/helpers/people.ts";

const { as } = ownDatabase(`${ADD_MODERATOR}
  delete from public.items;
  insert into public.items (slug, name, current_value) values
    ('kitsune', 'Kitsune', '1M'), ('t-rex', 'T-Rex', '2M'), ('odd', 'Odd \\1 & {x}', '3M')`);

async function send(client: Client, row: Record<string, unknown>) {
  const names = Object.keys(row);
  const { rows } = await attempt(
    client,
    `insert into public.chat_messages (${names}) values (${names.map((_, at) => `$${at + 1}`)}) returning *`,
    Object.values(row),
  );
  return rows[0];
}

const outcome = (client: Client, row: Record<string, unknown>) =>
  send(client, row).then(
    ({ message }) => message,
    (error) => `${error.code} ${error.message}`,
  );

const GAPS = "23514 Choose an item for each gap of the phrase";
const EMPTY = "23514 This trade has no items";
const FEW = "23514 Choose 1 to 9 items";
const GONE = "23514 One of these items is no longer listed here";

describe("the database writes the text of quick talk", () => {
  test.each([
    [{ phrase: "deal" }, "Deal!"],
    [{ phrase: "deal", message: "my number is 555 0123" }, "Deal!"],
    [{ phrase: "i-have", items: "kitsune" }, "I have Kitsune"],
    [
      { phrase: "trading-for", items: "kitsune.p,t-rex", message: "x" },
      "Trading Permanent Kitsune for T-Rex",
    ],
    [{ phrase: "trading-for", items: "odd,kitsune" }, "Trading Odd \\1 & {x} for Kitsune"],
    [{ trade: "you=kitsune,kitsune,t-rex.p&them=t-rex" }, "Offering Kitsune ×2, Permanent T-Rex for T-Rex"],
    [{ trade: "you=kitsune" }, "Offering Kitsune"],
    [{ trade: "them=t-rex,kitsune" }, "Looking for T-Rex, Kitsune"],
    [{ phrase: "my-own-words" }, "23514 This phrase is no longer available"],
    [{ phrase: "deal", items: "kitsune" }, GAPS],
    [{ phrase: "i-have" }, GAPS],
    [{ phrase: "i-have", items: "kitsune,kitsune" }, GAPS],
    [{ phrase: "i-have", items: "durian" }, GONE],
    [{ phrase: "i-have", items: "call 555" }, FEW],
    [{ trade: "" }, EMPTY],
    [{ trade: "you=&them=" }, EMPTY],
    [{ trade: "you=kitsune&them=x&say=hi" }, EMPTY],
    [{ trade: `you=${Array(10).fill("kitsune")}` }, FEW],
    [{ trade: "you=durian" }, GONE],
  ])("%j: %s", async (row, expected) => {
    await as("Ana", async (client) => expect(await outcome(client, row)).toBe(expected));
  });

  test("and a message has exactly one kind", async () => {
    await as("Ana", async (client) => {
      const both = { phrase: "deal", trade: "you=kitsune" };
      expect(await outcome(client, both)).toMatch("chat_messages_are_of_one_kind");
      expect(await outcome(client, { message: "hi", items: "kitsune" })).toMatch("of_one_kind");
    });
  });

  test("and counts it like any other message", async () => {
    await as("Ana", async (client) => {
      for (let sent = 0; sent < 5; sent += 1) await send(client, { phrase: "adds" });
      expect(await outcome(client, { phrase: "adds" })).toMatch("PT429");
    });
  });
});

test("after strikes, quick talk still works and free text does not", async () => {
  await as("Mia", async (client) => {
    for (let strike = 0; strike < 3; strike += 1) {
      await client.query(
        "insert into public.sanctions (user_id, kind, code, reason) values ($1, 'picture', 'other', 'Not for everybody')",
        [ACCOUNTS.Ben.id],
      );
    }
    await become(client, "Ben");
    await expect(send(client, { message: "hi" })).rejects.toMatchObject({
      code: "PT403",
      message: "You can use quick talk for now, because of what moderators had to remove",
      detail: "strikes",
    });
    expect(await outcome(client, { phrase: "hello" })).toBe("Hello!");
    expect(await outcome(client, { trade: "you=kitsune" })).toBe("Offering Kitsune");
  });
});

describe("a message names", () => {
  test("users by their names in the database, each once, three at most, and not the writer", async () => {
    await as("Ana", async (client) => {
      const { Ana, Ben, Eve } = ACCOUNTS;
      const { mentions, message } = await send(client, {
        message: "hi",
        mentions: [Eve.id, Ben.id, Eve.id, Ana.id].slice(0, 3),
      });
      expect(message).toBe(`@${Eve.username} @${Ben.username} hi`);
      expect(mentions).toEqual([Eve.id, Ben.id]);
      expect(await send(client, { phrase: "deal", mentions: [Ana.id] })).toMatchObject({
        message: "Deal!",
        mentions: null,
      });
      expect(await outcome(client, { phrase: "deal", mentions: [Ben.id] })).toBe(`@${Ben.username} Deal!`);
      const stranger = "00000000-0000-4000-8000-000000000000";
      expect(await outcome(client, { phrase: "deal", mentions: [stranger] })).toBe("Deal!");
      expect(await outcome(client, { message: "hi", mentions: Array(4).fill(Ben.id) })).toBe(
        "23514 You can mention 3 people at once",
      );
    });
  });

  test("within its length", async () => {
    await as("Ana", async (client) => {
      const row = { message: "ha ".repeat(333), mentions: [ACCOUNTS.Ben.id] };
      expect(await outcome(client, row)).toBe("23514 Message too long (max 1000 characters)");
    });
  });

  test("the message it replies to if that exists, and keeps the reference after its deletion", async () => {
    await as("Ben", async (client) => {
      const first = await send(client, { phrase: "is-this-fair" });
      await become(client, "Ana");
      const answer = await send(client, { phrase: "fair", reply_to: first.id });
      expect(answer.reply_to).toBe(first.id);
      expect((await send(client, { phrase: "fair", reply_to: ACCOUNTS.Ana.id })).reply_to).toBeNull();
      await become(client, "Ben");
      await client.query("delete from public.chat_messages where id = $1", [first.id]);
      await become(client, "Ana");
      const { rows } = await client.query("select reply_to from public.shown_chat_messages where id = $1", [
        answer.id,
      ]);
      expect(rows).toEqual([{ reply_to: first.id }]);
    });
  });
});

test("there are phrases of each theme, and none asks for more than three items", async () => {
  await as("Ana", async (client) => {
    const { rows } = await client.query(
      "select theme, count(*)::int from public.quick_phrases group by theme order by theme",
    );
    expect(rows.map(({ theme }) => theme)).toEqual(["answer", "ask", "hello", "offer"]);
    expect(rows.every(({ count }) => count >= 8)).toBe(true);
    const many = "select id from public.quick_phrases where regexp_count(phrase, '\\{item\\}') > 3";
    expect((await client.query(many)).rows).toEqual([]);
  });
});
