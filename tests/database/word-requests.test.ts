import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, ADD_MODERATOR, become, becomeOwner } from "#tests/helpers/people.ts";

const { as } = ownDatabase(ADD_MODERATOR);

/** A word in no language. */
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

/** Posts a message as the client's current user; returns the text as stored. */
async function say(client: Client, message: string): Promise<string> {
  const { rows } = await client.query(
    "insert into public.chat_messages (user_id, message) values (auth.uid(), $1) returning message",
    [message],
  );
  return rows[0].message;
}

describe("a missing word", () => {
  test("is counted once per requester, however it is spelled, and visible only to admins", async () => {
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

  test("cannot be requested if it is known, or is no word", async () => {
    await as("Ana", async (client) => {
      expect(await ask(client, "trade")).toBe("known");
      await expect(ask(client, "x")).rejects.toMatchObject({ message: "A word has 2 to 30 letters" });
    });
    await as("Ana", async (client) => {
      await expect(ask(client, "a".repeat(31))).rejects.toMatchObject({ code: "23514" });
    });
  });

  test("is limited to ten requests a day", async () => {
    await as("Ana", async (client) => {
      for (const end of "abcdefghij") expect(await ask(client, NEW + end)).toBe("asked");
      await expect(ask(client, `${NEW}k`)).rejects.toMatchObject({ code: "PT429" });
    });
  });

  test.each(["visitor", "Ana", "Mia"] as const)("cannot be decided by %s", async (person) => {
    for (const decision of ["allow_word", "refuse_word", "reopen_word"]) {
      await as(person, async (client) => {
        await expect(client.query(`select public.${decision}($1)`, [NEW])).rejects.toMatchObject({
          code: "42501",
        });
      });
    }
  });
});

describe("an admin's decision", () => {
  test("accepting a word shows it from then on, and removes it from the list", async () => {
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

  test("refusing a word blocks further requests, even if it was accepted before", async () => {
    await as("Eve", async (client) => {
      await client.query("select public.allow_word($1)", [NEW]);
      await client.query("select public.refuse_word($1)", [NEW]);
      await become(client, "Ana");
      expect(await ask(client, NEW)).toBe("refused");
      expect(await say(client, `I have a ${NEW}`)).toBe("I have a ####");
    });
  });
});

test("a decision is refused if another admin decided about the word since it was seen", async () => {
  for (const [decision, state, seen] of [
    ["refuse_word", "allow_word", "asked"],
    ["allow_word", "refuse_word", "asked"],
    ["allow_word", "reopen_word", "refused"],
  ])
    await as("Ana", async (client) => {
      await ask(client, NEW);
      await become(client, "Eve");
      await client.query(`select public.${decision}($1, 'asked')`, [NEW]);
      await expect(client.query(`select public.${state}($1, $2)`, [NEW, seen])).rejects.toMatchObject({
        code: "PT409",
        message: "Somebody else decided about this word in the meantime",
      });
    });
});

test("a decision that is repeated, since its answer was lost, succeeds and is logged once", async () => {
  await as("Ana", async (client) => {
    await ask(client, NEW);
    await become(client, "Eve");
    for (const [decision, seen] of [
      ["allow_word", "asked"],
      ["reopen_word", "allowed"],
      ["refuse_word", "asked"],
      ["reopen_word", "refused"],
    ])
      for (let times = 0; times < 2; times++)
        await client.query(`select public.${decision}($1, $2)`, [NEW, seen]);
    const { rows } = await client.query(
      "select act from public.admin_acts where table_name = 'word_requests' order by id",
    );
    expect(rows.map(({ act }) => act)).toEqual(["insert", "update", "delete", "update"]);
  });
});

test("a decision is taken back with its request count, and is in the log of acts", async () => {
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

test("the words are sent once: a client with the current version gets none until one is accepted", async () => {
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

test("hidden text of a reported message is readable until the report is decided", async () => {
  await as("Ana", async (client) => {
    const text = `I have a ${NEW}`;
    await say(client, text);
    const { rows } = await client.query("select id from public.chat_messages where user_id = $1", [
      ACCOUNTS.Ana.id,
    ]);
    const age = async () => {
      await become(client, "server");
      await client.query("update public.chat_originals set created_at = now() - interval '25 hours'");
      await becomeOwner(client);
      await client.query("select private.forget_deleted_messages()");
      await become(client, "Mia");
      return (await client.query("select message from public.chat_originals")).rows;
    };
    await become(client, "Ben");
    await client.query(
      "insert into public.reports (kind, code, subject_id) values ('message', 'insult', $1)",
      [rows[0].id],
    );
    expect(await age()).toEqual([{ message: text }]);
    await client.query("update public.reports set resolved_at = now()");
    expect(await age()).toEqual([]);
  });
});

test("hidden text is readable by moderators and admins for a day", async () => {
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
