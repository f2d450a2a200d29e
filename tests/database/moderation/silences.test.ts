import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const { Ana, Ben, Eve } = ACCOUNTS;

/** Silences a user for this long (`infinity`: forever), as Eve. */
async function silence(client: Client, person: { id: string }, length = "10 minutes", reason = "Be kind") {
  await become(client, "Eve");
  return attempt(
    client,
    `insert into public.chat_silences (user_id, until, reason)
     values ($1, case $2 when 'infinity' then 'infinity' else now() + $2::interval end, $3)
     on conflict (user_id) do update set until = excluded.until, reason = excluded.reason, user_id = excluded.user_id
     returning user_id, reason`,
    [person.id, length, reason],
  );
}

async function sayAs(client: Client, person: "Ana" | "Ben" | "Eve") {
  await become(client, person);
  return attempt(client, "insert into public.chat_messages (message) values ('hi')");
}

describe("refused", () => {
  test.each([
    [
      "10 minutes",
      /^You can't write in the chat for 10 minutes, until \w{3} \d+, \d{4}, \d+:\d\d [AP]M UTC\. Reason: Be kind$/,
    ],
    ["60 seconds", /for 1 minute, until/],
    ["61 seconds", /for 2 minutes, until/],
    ["90 minutes", /for 90 minutes, until/],
    ["91 minutes", /for 2 hours, until/],
    ["1 day", /for 24 hours, until/],
    ["7 days", /for 7 days, until/],
    ["infinity", /^You can no longer write in the chat\. Reason: Be kind$/],
  ])("a message of a user silenced for %s, saying until when", async (length, sentence) => {
    await as("Eve", async (client) => {
      await silence(client, Ana, length);
      await expect(sayAs(client, "Ana")).rejects.toMatchObject({
        code: "PT403",
        message: expect.stringMatching(sentence),
      });
    });
  });

  test("silencing others without being an admin, and lifting one's own silence", async () => {
    await as("Ben", async (client) => {
      const add = "insert into public.chat_silences (user_id, reason) values ($1, 'x')";
      await expect(attempt(client, add, [Ana.id])).rejects.toMatchObject({ code: "42501" });
      await silence(client, Ben);
      await become(client, "Ben");
      expect((await client.query("delete from public.chat_silences")).rowCount).toBe(0);
      expect((await client.query("update public.chat_silences set reason = 'x'")).rowCount).toBe(0);
    });
  });

  test("silencing oneself, without a reason, or with an end before the start", async () => {
    await as("Eve", async (client) => {
      await expect(silence(client, Eve)).rejects.toMatchObject({
        constraint: "chat_silences_nobody_silences_themselves",
      });
      await expect(silence(client, Ana, "1 day", " \u00a0")).rejects.toMatchObject({
        constraint: "chat_silences_reason_has_1_to_200_characters",
      });
      await expect(silence(client, Ana, "-1 second")).rejects.toMatchObject({
        constraint: "chat_silences_end_after_they_begin",
      });
    });
  });
});

test("a silenced user reads only their own silence, admins read all", async () => {
  await as("Eve", async (client) => {
    const { rows } = await silence(client, Ana, "1 day", "  Be kind ");
    expect(rows).toEqual([{ user_id: Ana.id, reason: "Be kind" }]);
    const seenBy = async (person: "Ana" | "Ben" | "Eve") => {
      await become(client, person);
      return (await client.query("select user_id from public.chat_silences")).rowCount;
    };
    expect([await seenBy("Ben"), await seenBy("Ana"), await seenBy("Eve")]).toEqual([0, 1, 1]);
  });
});

test("only admins can learn who silenced a user, the user in no way", async () => {
  await as("Eve", async (client) => {
    await silence(client, Ana);
    const makers = "select username from public.list_silence_makers(array[$1::uuid])";
    expect((await client.query(makers, [Ana.id])).rows).toEqual([{ username: Eve.username }]);
    await become(client, "Ana");
    for (const question of [
      "select created_by from public.chat_silences",
      "select from public.chat_silences join public.profiles on profiles.id = created_by",
      "select resolved_by from public.reports",
      "select from public.reports join public.profiles on profiles.id = resolved_by",
    ]) {
      await expect(attempt(client, question), question).rejects.toMatchObject({ code: "42501" });
    }
    await expect(attempt(client, makers, [Ana.id])).rejects.toMatchObject({ code: "42501" });
  });
});

test("a silence affects only the silenced user, and ends when lifted or expired", async () => {
  await as("Eve", async (client) => {
    await silence(client, Ana, "infinity");
    expect((await sayAs(client, "Ben")).rowCount).toBe(1);
    await become(client, "Eve");
    await client.query("delete from public.chat_silences where user_id = $1", [Ana.id]);
    expect((await sayAs(client, "Ana")).rowCount).toBe(1);

    await silence(client, Ana, "1 hour");
    await silence(client, Ana, "10 minutes", "Once more");
    await expect(sayAs(client, "Ana")).rejects.toMatchObject({
      message: expect.stringContaining("Once more"),
    });
    await becomeOwner(client);
    await client.query(
      "update public.chat_silences set created_at = now() - interval '1 hour', until = now() - interval '1 second'",
    );
    expect((await sayAs(client, "Ana")).rowCount).toBe(1);
  });
});

test("mutes hide no message from an admin, and a report records when its message was sent", async () => {
  await as("Ben", async (client) => {
    const { rows } = await client.query(
      "insert into public.chat_messages (message) values ('from a trader') returning id, created_at",
    );
    const [sent] = rows;
    await become(client, "Eve");
    await client.query("insert into public.chat_mutes (muted_user_id) values ($1)", [Ben.id]);
    await client.query("insert into public.chat_reports (message_id) values ($1)", [sent.id]);
    expect((await client.query("delete from public.chat_messages where id = $1", [sent.id])).rowCount).toBe(
      1,
    );
    const reports = await client.query("select message, message_id, sent_at from public.chat_reports");
    expect(reports.rows).toEqual([{ message: "from a trader", message_id: null, sent_at: sent.created_at }]);
  });
});
