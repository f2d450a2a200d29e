import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, ADD_MODERATOR, become } from "#tests/helpers/people.ts";

const { as } = ownDatabase(ADD_MODERATOR);

/** A word that no language has. */
const NEW = "zquorkle";

async function ask(client: Client, word: string): Promise<string> {
  return (await client.query("select public.ask_for_word($1) as answer", [word])).rows[0].answer;
}

async function requests(client: Client) {
  const { rows } = await client.query(
    "select word, count, refused_at from public.word_requests where allowed_at is null",
  );
  return rows;
}

/** What stands in the chat after the person of the moment wrote it. */
async function say(client: Client, message: string): Promise<string> {
  const { rows } = await client.query(
    "insert into public.chat_messages (user_id, message) values (auth.uid(), $1) returning message",
    [message],
  );
  return rows[0].message;
}

describe("a word that is missing", () => {
  test("is counted once for each who asks, in whatever dress, and seen by admins alone", async () => {
    await as("Ana", async (client) => {
      expect([await ask(client, NEW), await ask(client, "ZQUÓRKLE!")]).toEqual(["asked", "asked"]);
      await become(client, "Ben");
      expect(await ask(client, NEW)).toBe("asked");
      expect(await requests(client)).toEqual([]);
      await become(client, "Mia");
      expect(await requests(client)).toEqual([]);
      await become(client, "Eve");
      expect(await requests(client)).toEqual([{ word: NEW, count: 2, refused_at: null }]);
    });
  });

  test("is not asked for where it is known, nor where it is none", async () => {
    await as("Ana", async (client) => {
      expect(await ask(client, "trade")).toBe("known");
      await expect(ask(client, "x")).rejects.toMatchObject({ message: "A word has 2 to 30 letters" });
    });
    await as("Ana", async (client) => {
      await expect(ask(client, "a".repeat(31))).rejects.toMatchObject({ code: "23514" });
    });
  });

  test("is one of ten a day", async () => {
    await as("Ana", async (client) => {
      for (const end of "abcdefghij") expect(await ask(client, NEW + end)).toBe("asked");
      await expect(ask(client, `${NEW}k`)).rejects.toMatchObject({ code: "PT429" });
    });
  });

  test.each(["visitor", "Ana", "Mia"] as const)("is not decided about by %s", async (person) => {
    for (const decision of ["allow_word", "refuse_word", "reopen_word"]) {
      await as(person, async (client) => {
        await expect(client.query(`select public.${decision}($1)`, [NEW])).rejects.toMatchObject({
          code: "42501",
        });
      });
    }
  });
});

describe("what an admin decides", () => {
  test("a word that is taken in is hidden before and shown after, and off the list", async () => {
    await as("Ana", async (client) => {
      expect(await say(client, `I have a ${NEW}`)).toBe("I have a ####");
      await ask(client, NEW);
      await become(client, "Eve");
      await client.query("select public.allow_word($1)", [NEW]);
      expect(await requests(client)).toEqual([]);
      await become(client, "Ana");
      expect(await say(client, `I want a ${NEW}`)).toBe(`I want a ${NEW}`);
      expect(await ask(client, NEW)).toBe("known");
    });
  });

  test("a word that is refused is not asked for again, also one that was taken in", async () => {
    await as("Eve", async (client) => {
      await client.query("select public.allow_word($1)", [NEW]);
      await client.query("select public.refuse_word($1)", [NEW]);
      await become(client, "Ana");
      expect(await ask(client, NEW)).toBe("refused");
      expect(await say(client, `I have a ${NEW}`)).toBe("I have a ####");
    });
  });
});

test("what was decided is taken back with its count, and stands in the list of acts", async () => {
  await as("Ana", async (client) => {
    await ask(client, NEW);
    await become(client, "Eve");
    for (const decision of ["allow_word", "refuse_word"]) {
      await client.query(`select public.${decision}($1)`, [NEW]);
      await client.query("select public.reopen_word($1)", [NEW]);
      expect(await requests(client)).toEqual([{ word: NEW, count: 1, refused_at: null }]);
    }
    const { rows } = await client.query(
      "select act, title, admin_id from public.admin_acts where table_name = 'word_requests' order by id",
    );
    expect(rows).toEqual(
      ["insert", "update", "delete", "update"].map((act) => ({ act, title: NEW, admin_id: ACCOUNTS.Eve.id })),
    );
    await become(client, "Ana");
    expect(await say(client, `I have a ${NEW}`)).toBe("I have a ####");
    expect(await ask(client, NEW)).toBe("asked");
  });
});

test("the words come once: with their version they do not come again until one is taken in", async () => {
  await as("Ana", async (client) => {
    const list = async (version: string | null) =>
      (
        await client.query("select version, words, often, sometimes from public.list_known_words($1)", [
          version,
        ])
      ).rows[0];
    const first = await list(null);
    expect(first.words.split(" ")).toEqual(expect.arrayContaining(["trade", "dough", "nty"]));
    expect(first.words.split(" ")).not.toContain("discord");
    expect(first.often.split(" ")).toEqual(expect.arrayContaining(["trade", "kitsune"]));
    expect(first.often.split(" ")).not.toContain("albatross");
    expect(first.words.split(" ")).not.toContain("mom");
    expect(first.sometimes.split(" ")).toEqual(expect.arrayContaining(["mom", "birthday", "phone"]));
    expect(await list(first.version)).toEqual({
      version: first.version,
      words: null,
      often: null,
      sometimes: null,
    });
    await become(client, "Eve");
    await client.query("select public.allow_word($1)", [NEW]);
    await become(client, "Ana");
    expect((await list(first.version)).words.split(" ")).toContain(NEW);
  });
});

test("what was hidden is read by moderators and admins, for a day", async () => {
  await as("Ana", async (client) => {
    const text = `I have a ${NEW}`;
    await say(client, text);
    const originals = async () =>
      (await client.query("select user_id, message from public.chat_originals")).rows;
    for (const person of ["Ana", "Ben"] as const) {
      await become(client, person);
      expect(await originals()).toEqual([]);
    }
    for (const person of ["Mia", "Eve"] as const) {
      await become(client, person);
      expect(await originals()).toEqual([{ user_id: ACCOUNTS.Ana.id, message: text }]);
    }
    await become(client, "server");
    await client.query("update public.chat_originals set created_at = now() - interval '25 hours'");
    await become(client, "Mia");
    expect(await originals()).toEqual([]);
  });
});
