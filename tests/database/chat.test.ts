import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { LIMITS } from "#domain/text/limits.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner } from "#tests/helpers/people.ts";

const database = ownDatabase();
const { as } = database;

async function send(client: Client, message: string, more: Record<string, unknown> = {}) {
  const row = { message, ...more };
  const names = Object.keys(row);
  const { rows } = await attempt(
    client,
    `insert into public.chat_messages (${names}) values (${names.map((_, index) => `$${index + 1}`)}) returning *`,
    Object.values(row),
  );
  return rows[0];
}

const refusal = (client: Client, message: string, more?: Record<string, unknown>) =>
  send(client, message, more).then(
    () => null,
    (error) => `${error.code} ${error.message}`,
  );

const EMPTY = "23514 Message cannot be empty";
const LONG = "23514 Message too long (max 1000 characters)";
const LINK = "23514 Links are not allowed here";
const ADDRESS = "23514 Email addresses are not allowed here";
const PHONE = "23514 Phone numbers are not allowed here";
const HURTS = "23514 Please keep it friendly: this would hurt whoever reads it";
const UNKNOWN = "23514 Please use words that the site knows: none of this text could be shown";
const TRUST =
  "23514 Trust trades and going first are how people lose their items: both put theirs into the game's trade window";
const DATING = "23514 This chat is for trading, not for dating";
const WORD = "23514 Please keep it friendly: a word in this text is not allowed here";

describe("a message is refused", () => {
  test.each([
    ["", EMPTY],
    ["  \n\u00a0\u3000 ", EMPTY],
    ["\u200b\u2060", EMPTY],
    ["😀".repeat(1001), LONG],
    ["look at https://example.org", LINK],
    ["HTTP://EXAMPLE", LINK],
    ["www.example.org", LINK],
    ["join discord.gg/abc", LINK],
    ["join discord gg", LINK],
    ["my site example dot com", LINK],
    ["example(dot)com now", LINK],
    ["freefruits.xyz", LINK],
    ["ｅｘａｍｐｌｅ．ｃｏｍ", LINK],
    ["exam\u200bple.com", LINK],
    ["write ana@example.org", ADDRESS],
    ["ana @ example . org", ADDRESS],
    ["ana at gmail", ADDRESS],
    ["ana (at) mail (dot) com", ADDRESS],
    ["call 555-123-4567", PHONE],
    ["7m 7m 8m 9m 2m 1m 4m", PHONE],
    ["x7 x7 x8 x9 x2 x1 x4", PHONE],
    ["call (555) 123-4567", PHONE],
    ["+49 170 1234567", PHONE],
    ["07700 900123", PHONE],
    ["5551234567", PHONE],
    ["5 5 5 1 2 3 4 5 6 7", PHONE],
    ["you bitch", WORD],
    ["FUCKING hell", WORD],
    ["fuuuuck", WORD],
    ["f.u.c.k you", WORD],
    ["f u c k", WORD],
    ["sh1t!", WORD],
    ["b\u0131tch b\u00eftch", WORD],
    ["fu\u200bck", WORD],
    ["n1gger", WORD],
    ["you are all retards", WORD],
    ["kill   yourself", HURTS],
    ["kys", HURTS],
    ["ｆｕｃｋ", WORD],
    ["fuсk", WORD],
  ])("%j: %s", async (message, expected) => {
    await as("Ana", async (client) => {
      expect(await refusal(client, message)).toBe(expected);
    });
  });

  test("immediately, whatever its length, before any filter reads it", async () => {
    await as("Ana", async (client) => {
      await client.query("set local statement_timeout = '2s'");
      expect(await refusal(client, "ab ".repeat(1_000_000))).toBe(LONG);
    });
  });

  test("with many characters that each stand for a phrase, before they are expanded; a few are allowed", async () => {
    await as("Ana", async (client) => {
      const refused = "23514 Please write with letters: too many signs of this text stand for whole words";
      expect(await refusal(client, "\ufdfa".repeat(1000))).toBe(refused);
      expect(await refusal(client, "\ufdfa \ufdfb ½ ㎏ ⑳")).toBeNull();
      expect(await refusal(client, "한국말".repeat(300))).toBe(UNKNOWN);
    });
  });

  test("in another's name", async () => {
    await as("Ana", async (client) => {
      await expect(send(client, "hi", { user_id: ACCOUNTS.Ben.id })).rejects.toMatchObject({ code: "42501" });
      await expect(send(client, "hi", { created_at: new Date(0) })).rejects.toMatchObject({ code: "42501" });
    });
  });

  test("in another's name before anything is judged, so that it tells neither what they wrote nor how fast", async () => {
    await as("Ben", async (client) => {
      await send(client, "k");
      for (let sent = 1; sent < 5; sent++) await send(client, `hello ${sent}`);
      await become(client, "Ana");
      for (const message of ["y s", "hello"]) {
        expect(await refusal(client, message, { user_id: ACCOUNTS.Ben.id })).toBe(
          '42501 new row violates row-level security policy for table "chat_messages"',
        );
      }
    });
  });
});

describe("a message is let through", () => {
  test.each([
    "1m 2m 3m 4m 5m 6m 7m",
    "7m dough 7m dragon 8m tiger 9m control",
    "hi",
    "trading kitsune 640M for 1,000,000,000 + perm control",
    "1 000 000 000 please",
    "3.91B vs 2.5B, ratio 1.56",
    "ok.so what",
    "no.i think not",
    "lol.me too",
    "i got it at the cafe. nice.",
    "pass that this time",
    "w/l? @everyone",
    "😀".repeat(1000),
  ])("%j", async (message) => {
    await as("Ana", async (client) => {
      expect(await refusal(client, message)).toBeNull();
    });
  });

  test("trimmed, under the name of the writer's profile, whatever name was sent", async () => {
    await as("Ana", async (client) => {
      const stored = await send(client, "  hi  ", {
        user_id: ACCOUNTS.Ana.id,
        username: "other@example.org",
      });
      expect(stored).toMatchObject({
        message: "hi",
        username: ACCOUNTS.Ana.username,
        user_id: ACCOUNTS.Ana.id,
      });
    });
  });
});

describe("the stored text is the one that the filter read", () => {
  test.each([
    ["\u202Eok trade\u202C", "ok trade"],
    [`d${"\u0335\u0300\u0301".repeat(9)}ough`, "d\u0335\u0300\u0301ough"],
    ["up\n\n \n\t\n\n\ndown", "up\n\ndown"],
    ["one\r\ntwo\u2028three", "one\ntwo\nthree"],
    ["ring\u0007 the\u001b bell", "ring the bell"],
    ["fair? ❤️ مرحبا", "fair? ❤️ ####"],
  ])("%j is stored as %j", async (message, kept) => {
    await as("Ana", async (client) => expect((await send(client, message)).message).toBe(kept));
  });

  test.each([
    [["ok fu", "ck u"], WORD],
    [["ok hang", "yourself"], HURTS],
    [["555", "12"], UNKNOWN],
    [["you go", "first"], TRUST],
    [["b", "a", "d"], UNKNOWN],
    [["555", "hi", "10", "ok", "24"], PHONE],
    [["be my", "bestie"], DATING],
  ])("pieces sent within a minute are judged together: %j", async (pieces, expected) => {
    await as("Ana", async (client) => {
      for (const piece of pieces.slice(0, -1)) expect(await refusal(client, piece)).toBeNull();
      await client.query("savepoint before_the_last");
      expect(await refusal(client, pieces.at(-1) ?? "")).toBe(expected);
    });
  });

  test("pieces are also read together as rows of one insert, and when the writer deleted earlier ones", async () => {
    await as("Ana", async (client) => {
      await expect(
        attempt(client, "insert into public.chat_messages (message) values ('you go'), ('first')"),
      ).rejects.toMatchObject({ message: TRUST.slice(6) });
      await send(client, "you go");
      await client.query("delete from public.chat_messages");
      expect(await refusal(client, "first")).toBe(TRUST);
    });
  });

  test.each(["sent", "deleted"])("names in front of a piece that was %s change nothing", async (state) => {
    const { Ben, Eve } = ACCOUNTS;
    await as("Ana", async (client) => {
      await send(client, "ok nice i have kits and dragon you go", { mentions: [Ben.id, Eve.id] });
      if (state === "deleted") await client.query("delete from public.chat_messages");
      expect(await refusal(client, "first")).toBe(TRUST);
    });
  });

  test("nor do names in front of the digits of several people, whoever wrote them there", async () => {
    await as("Ana", async (client) => {
      await send(client, "555", { mentions: [ACCOUNTS.Ben.id] });
      await become(client, "Ben");
      await send(client, "10", { mentions: [ACCOUNTS.Ana.id] });
      await become(client, "Eve");
      expect(await refusal(client, `@${ACCOUNTS.Ana.username} 24`)).toBe(PHONE);
    });
  });

  test("nor does it help to delete the first digits before somebody else writes the rest", async () => {
    await as("Ana", async (client) => {
      await send(client, "555");
      await client.query("delete from public.chat_messages");
      await become(client, "Ben");
      await send(client, "10");
      await become(client, "Eve");
      expect(await refusal(client, "24")).toBe(PHONE);
    });
  });

  test.each([
    [["455", "460", "475", "480"]],
    [["w/f/l", "hm", "ok.", "net gain"]],
    [["dragon", "for", "2 kits?"]],
    [["1 2 3 4", "5 6 7 8", "9 10"]],
    [["w", "w", "l", "w"]],
    [["lf dragon", "brb my mom is calling", "k back", "my brother plays too", "gg"]],
  ])("offers made step by step are let through: %j", async (pieces) => {
    await as("Ana", async (client) => {
      for (const piece of pieces) expect(await refusal(client, piece)).toBeNull();
    });
  });
});

describe("how fast one may write", () => {
  const { perWindow, windowSeconds } = LIMITS.chat;
  const TOO_FAST = `You are sending messages too fast: at most ${perWindow} in ${windowSeconds} seconds`;

  test("the sixth message within ten seconds is refused, and only for the writer", async () => {
    await as("Ana", async (client) => {
      for (let sent = 0; sent < perWindow; sent += 1) await send(client, `hello ${sent}`);
      await expect(send(client, "one more")).rejects.toMatchObject({ code: "PT429", message: TOO_FAST });
      await become(client, "Ben");
      await send(client, "hello");
      await becomeOwner(client);
      await client.query(
        `update private.paces set done_at = array(select at - interval '${windowSeconds} seconds' from unnest(done_at) as at)`,
      );
      await become(client, "Ana");
      await send(client, "again");
    });
  });

  test("six in one insert are all refused", async () => {
    await as("Ana", async (client) => {
      const rows = Array(perWindow + 1).fill("('hi')");
      await expect(
        attempt(client, `insert into public.chat_messages (message) values ${rows}`),
      ).rejects.toMatchObject({ code: "PT429" });
    });
  });

  test("ten at the same moment count each other", async () => {
    const sending = Array.from({ length: 10 }, async () => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        await client.query("begin");
        await become(client, "Ben");
        await client.query("insert into public.chat_messages (message) values ('hi')");
        await client.query("commit");
      } finally {
        await client.end();
      }
    });
    const results = await Promise.allSettled(sending);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(perWindow);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query("delete from public.chat_messages; delete from private.paces");
    await client.end();
  });

  test("deleting one's messages does not reset the limit, and the refusal says how long to wait", async () => {
    await as("Ana", async (client) => {
      for (let sent = 0; sent < perWindow; sent += 1) await send(client, `hello ${sent}`);
      await client.query("delete from public.chat_messages");
      const refused = await send(client, "one more").catch((error) => error);
      expect(refused).toMatchObject({ code: "PT429", message: TOO_FAST });
      expect(Number(refused.hint)).toBeGreaterThanOrEqual(windowSeconds - 3);
      expect(Number(refused.hint)).toBeLessThanOrEqual(windowSeconds);
    });
  });

  test("a refused message does not count", async () => {
    await as("Ana", async (client) => {
      for (let tried = 0; tried < perWindow; tried += 1) await refusal(client, "www.example.org");
      expect(await refusal(client, "hello")).toBeNull();
    });
  });

  test("a message that is sent again under its id is refused as stored", async () => {
    await as("Ana", async (client) => {
      const id = "c0000000-0000-4000-8000-00000000000c";
      await send(client, "hello", { id });
      await expect(send(client, "hello", { id })).rejects.toMatchObject({ code: "23505" });
    });
  });

  test("a text of eight digits, which two messages may not hold, is its own repetition under its id only", async () => {
    await as("Ana", async (client) => {
      const id = "c0000000-0000-4000-8000-00000000000d";
      await send(client, "12 8 4", { id });
      await expect(send(client, "12 8 4", { id })).rejects.toMatchObject({ code: "23505" });
      // Not even when no other message may be sent.
      for (let sent = 1; sent < perWindow; sent += 1) await send(client, "hello");
      await expect(send(client, "12 8 4", { id })).rejects.toMatchObject({ code: "23505" });
    });
    await as("Ana", async (client) => {
      await send(client, "12 8 4");
      await expect(send(client, "12 8 4")).rejects.toMatchObject({ code: "23514" });
    });
  });

  test("the owner may import old messages without limit", async () => {
    await as("Ana", async (client) => {
      await becomeOwner(client);
      await client.query(
        "insert into public.chat_messages (user_id, message, created_at) select $1, 'hello ' || n, now() - n * interval '1 minute' from generate_series(1, 130) as n",
        [ACCOUNTS.Ana.id],
      );
      const { rows } = await client.query("select count(distinct created_at)::int from public.chat_messages");
      expect(rows).toEqual([{ count: 130 }]);
    });
  });
});

describe("muting and reporting", () => {
  test("the room is the same for everyone, so a message is judged once however many subscribers it has", async () => {
    await as("server", async (client) => {
      const { rows } = await client.query(
        "select qual from pg_policies where tablename = 'chat_messages' and cmd = 'SELECT'",
      );
      expect(rows).toEqual([{ qual: "true" }]);
    });
  });

  test("Ana is not shown messages from a user she muted; Eve still is", async () => {
    await as("Ben", async (client) => {
      await send(client, "from a trader");
      const seen = async () =>
        (await client.query("select message from public.shown_chat_messages")).rowCount;
      await become(client, "Ana");
      expect(await seen()).toBe(1);
      await client.query("insert into public.chat_mutes (muted_user_id) values ($1)", [ACCOUNTS.Ben.id]);
      expect(await seen()).toBe(0);
      await become(client, "Eve");
      expect(await seen()).toBe(1);
      await become(client, "Ana");
      await client.query("delete from public.chat_mutes");
      expect(await seen()).toBe(1);
    });
  });

  test("deleted messages are kept for a day, for admins only, and can be reported until then, once per reporter", async () => {
    await as("Ben", async (client) => {
      const { id, created_at } = await send(client, "see you later");
      await client.query("delete from public.chat_messages where id = $1", [id]);
      const kept = async () => (await client.query("select * from public.deleted_chat_messages")).rows;
      expect(await kept()).toEqual([]);
      await expect(send(client, "hello", { id })).rejects.toMatchObject({ code: "23505" });

      await become(client, "Ana");
      expect(await kept()).toEqual([]);
      const report = "insert into public.chat_reports (message_id, reason) values ($1, 'odd')";
      await client.query(report, [id]);
      await expect(attempt(client, report, [id])).rejects.toMatchObject({
        constraint: "reports_one_per_reporter_and_subject",
      });

      await become(client, "Eve");
      expect(await kept()).toMatchObject([{ id, user_id: ACCOUNTS.Ben.id, message: "see you later" }]);
      const reports = `select message_id, reported_message_id, message, reported_user_id, sent_at
        from public.chat_reports`;
      expect((await client.query(reports)).rows).toEqual([
        {
          message_id: null,
          reported_message_id: id,
          message: "see you later",
          reported_user_id: ACCOUNTS.Ben.id,
          sent_at: created_at,
        },
      ]);

      await becomeOwner(client);
      await client.query("update public.deleted_chat_messages set deleted_at = now() - interval '24 hours'");
      await become(client, "Eve");
      expect(await kept()).toEqual([]);
      await expect(attempt(client, report, [id])).rejects.toMatchObject({ message: "This message is gone" });
      const next = await send(client, "from all");
      await client.query("delete from public.chat_messages where id = $1", [next.id]);
      await becomeOwner(client);
      expect(await kept()).toMatchObject([{ message: "from all" }]);
    });
  });

  test("deleted messages go with the writer's account, and an operator's deletion keeps no copy", async () => {
    await as("Ben", async (client) => {
      const { id } = await send(client, "one");
      await send(client, "two");
      await client.query("delete from public.chat_messages where id = $1", [id]);
      await become(client, "Eve");
      await send(client, "three");
      await becomeOwner(client);
      await client.query("delete from public.chat_messages where message = 'three'");
      await client.query("delete from auth.users where id = $1", [ACCOUNTS.Ben.id]);
      expect((await client.query("select from public.deleted_chat_messages")).rowCount).toBe(0);
    });
  });

  test("nobody can mute or report themselves, or report a message that no longer exists", async () => {
    await as("Ana", async (client) => {
      const { id } = await send(client, "from me");
      await expect(
        attempt(client, "insert into public.chat_mutes (muted_user_id) values ($1)", [ACCOUNTS.Ana.id]),
      ).rejects.toMatchObject({ constraint: "chat_mutes_nobody_mutes_themselves" });
      const report = "insert into public.chat_reports (message_id) values ($1)";
      await expect(attempt(client, report, [id])).rejects.toMatchObject({
        constraint: "reports_nobody_reports_themselves",
      });
      await expect(attempt(client, report, [ACCOUNTS.Ana.id])).rejects.toMatchObject({
        message: "This message is gone",
      });
    });
  });

  test("a report keeps the text when the message is deleted, once per reporter, and an admin resolves it", async () => {
    await as("Ben", async (client) => {
      const { id } = await send(client, "from a trader");
      await become(client, "Ana");
      const report = "insert into public.chat_reports (message_id, reason) values ($1, ' rude ')";
      await client.query(report, [id]);
      await expect(attempt(client, report, [id])).rejects.toMatchObject({ code: "23505" });

      await become(client, "Eve");
      expect((await client.query("delete from public.chat_messages where id = $1", [id])).rowCount).toBe(1);
      await client.query("update public.chat_reports set resolved_at = '1999-01-01'");
      await becomeOwner(client);
      const { rows } = await client.query(
        "select *, evidence as message, resolved_at = now() as resolved_now from public.reports",
      );
      expect(rows).toMatchObject([
        {
          message_id: null,
          message: "from a trader",
          reported_user_id: ACCOUNTS.Ben.id,
          reporter_id: ACCOUNTS.Ana.id,
          reason: "rude",
          resolved_by: ACCOUNTS.Eve.id,
          resolved_now: true,
          outcome: "nothing",
        },
      ]);
    });
  });
});
