import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { attempt, become, becomeOwner, OWNERS } from "#tests/helpers/people.ts";
import { ADD_DESK, subjects } from "./desk.ts";

const { as } = ownDatabase(ADD_DESK);

const { Ana, Ben, Eve } = OWNERS;
const APPEAL = "insert into public.appeals (sanction_id, message) values ($1, 'It was my brother')";
const ANSWER = "update public.appeals set granted = $2, answer = ' We believe you ' where sanction_id = $1";

/** Bans Ben, as Mia. */
async function ban(client: Client): Promise<string> {
  await become(client, "Mia");
  const { rows } = await client.query(
    `insert into public.sanctions (user_id, kind, code, reason, until)
     values ($1, 'ban', 'scam', 'Scams', now() + interval '7 days') returning id`,
    [Ben.id],
  );
  return rows[0].id;
}

describe("an appeal", () => {
  test("is made once by the user, answered once by another moderator, and lifts the sanction", async () => {
    await as("Mia", async (client) => {
      const id = await ban(client);
      await become(client, "Ana");
      await expect(attempt(client, APPEAL, [id])).rejects.toMatchObject({ code: "42501" });
      await become(client, "Ben");
      await client.query(APPEAL, [id]);
      await expect(attempt(client, APPEAL, [id])).rejects.toMatchObject({ code: "23505" });
      expect((await client.query(ANSWER, [id, true])).rowCount).toBe(0);
      await become(client, "Ana");
      expect((await client.query("select from public.appeals")).rowCount).toBe(0);
      await become(client, "Mia");
      await expect(attempt(client, ANSWER, [id, true])).rejects.toMatchObject({
        code: "PT403",
        message: "You acted here yourself: another moderator answers this appeal",
      });
      await become(client, "Eve");
      await client.query(ANSWER, [id, true]);
      await expect(attempt(client, ANSWER, [id, false])).rejects.toMatchObject({
        message: "An appeal is answered once, with yes or no",
      });
      await become(client, "Ben");
      const { rows } = await client.query("select granted, answer, answered_at from public.appeals");
      expect(rows).toEqual([{ granted: true, answer: "We believe you", answered_at: expect.any(Date) }]);
      await expect(attempt(client, "select answered_by from public.appeals")).rejects.toMatchObject({
        code: "42501",
      });
      await becomeOwner(client);
      const banned = await client.query("select banned_until from auth.users where id = $1", [Ben.id]);
      expect(banned.rows).toEqual([{ banned_until: null }]);
    });
  });

  test("is answered by the same moderator if there is no other; if refused, the sanction stands", async () => {
    await as("Mia", async (client) => {
      const id = await ban(client);
      await become(client, "Ben");
      await client.query(APPEAL, [id]);
      await becomeOwner(client);
      await client.query("delete from public.user_roles where user_id = $1", [Eve.id]);
      await become(client, "Mia");
      expect((await client.query(ANSWER, [id, false])).rowCount).toBe(1);
      expect((await client.query("select lifted_at from public.sanctions")).rows).toEqual([
        { lifted_at: null },
      ]);
    });
  });

  test("of a moderator or an admin is answered by another admin only", async () => {
    await as("Mia", async (client) => {
      await becomeOwner(client);
      const { rows } = await client.query(
        `insert into public.sanctions (user_id, kind, code, reason) values ($1, 'picture', 'other', 'x') returning id`,
        [Eve.id],
      );
      const id = rows[0].id;
      await client.query(APPEAL, [id]);
      await become(client, "Mia");
      await expect(attempt(client, ANSWER, [id, false])).rejects.toMatchObject({
        code: "PT403",
        message: "Only an admin can act about a moderator or an admin",
      });
      await becomeOwner(client);
      await client.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [Ana.id]);
      await become(client, "Ana");
      expect((await client.query(ANSWER, [id, false])).rowCount).toBe(1);
    });
  });

  test("is granted when the sanction is lifted meanwhile, also by the moderator who imposed it", async () => {
    await as("Mia", async (client) => {
      const id = await ban(client);
      await become(client, "Ben");
      await client.query(APPEAL, [id]);
      await become(client, "Mia");
      await client.query("update public.sanctions set lifted_at = now() where id = $1", [id]);
      const { rows } = await client.query("select granted, answered_at from public.appeals");
      expect(rows).toEqual([{ granted: true, answered_at: expect.any(Date) }]);
      await become(client, "Eve");
      await expect(attempt(client, ANSWER, [id, false])).rejects.toMatchObject({ code: "PT403" });
    });
  });

  test("against a ban is made without a session, by its key alone", async () => {
    await as("Mia", async (client) => {
      const id = await ban(client);
      await becomeOwner(client);
      const { rows } = await client.query("select appeal_key from public.sanctions where id = $1", [id]);
      const key = rows[0].appeal_key;
      await become(client, "visitor");
      const show = "select until, reason, lifted, appeal, granted, answer from public.show_ban($1)";
      expect((await client.query(show, [id])).rows).toEqual([]);
      expect((await client.query(show, [key])).rows).toMatchObject([
        { reason: "Scams", lifted: false, appeal: null, granted: null },
      ]);
      const appeal = "select public.appeal_ban($1, 'It was my brother')";
      await expect(attempt(client, appeal, [id])).rejects.toMatchObject({ code: "PT404" });
      await client.query(appeal, [key]);
      await expect(attempt(client, appeal, [key])).rejects.toMatchObject({ code: "23505" });
      await become(client, "Eve");
      await client.query(ANSWER, [id, true]);
      await become(client, "visitor");
      expect((await client.query(show, [key])).rows).toMatchObject([
        { lifted: true, appeal: "It was my brother", granted: true, answer: "We believe you" },
      ]);
    });
  });
});

describe("a rating", () => {
  const answer = (client: Client, text: string | null, id: string = subjects.rating) =>
    attempt(client, "select public.answer_rating($1, $2)", [id, text]);
  const answerOf = async (client: Client) =>
    (await client.query("select answer from public.user_ratings where id = $1", [subjects.rating])).rows[0]
      ?.answer;

  test("is answered once by its target, who may withdraw the answer, within the rules for comments", async () => {
    await as("Ben", async (client) => {
      await expect(answer(client, "Mine")).rejects.toMatchObject({ code: "PT404" });
      await become(client, "Ana");
      await expect(answer(client, "add me on discord.gg/abcdef")).rejects.toMatchObject({ code: "23514" });
      await expect(answer(client, "x".repeat(501))).rejects.toMatchObject({
        constraint: "user_ratings_answer_has_at_most_500_characters",
      });
      await answer(client, "  I was away ");
      expect(await answerOf(client)).toBe("I was away");
      await expect(answer(client, "Once more")).rejects.toMatchObject({ code: "PT404" });
      await answer(client, null);
      expect(await answerOf(client)).toBe(null);
      await expect(answer(client, "Once more")).rejects.toMatchObject({ code: "PT404" });
      await become(client, "visitor");
      await expect(answer(client, "Hello")).rejects.toMatchObject({ code: "42501" });
    });
  });

  test("that is changed loses its answer, and one resubmitted unchanged keeps it", async () => {
    await as("Ana", async (client) => {
      await answer(client, "I was away");
      await become(client, "Ben");
      const rate = "update public.user_ratings set rating = $2, comment = 'Slow' where id = $1";
      await client.query(rate, [subjects.rating, 1]);
      expect(await answerOf(client)).toBe("I was away");
      await client.query(rate, [subjects.rating, 2]);
      expect(await answerOf(client)).toBe(null);
    });
  });

  test("is disputed by its target, and deleted by its giver", async () => {
    await as("Ana", async (client) => {
      await client.query(
        "insert into public.reports (kind, subject_id, code) values ('rating', $1, 'other')",
        [subjects.rating],
      );
      await become(client, "Mia");
      const { rows } = await client.query(
        "select reporter_id, reported_user_id, evidence from public.reports",
      );
      expect(rows).toEqual([
        { reporter_id: Ana.id, reported_user_id: Ben.id, evidence: "1 of 5 stars: Slow" },
      ]);
      await become(client, "Ben");
      expect(
        (await client.query("delete from public.user_ratings where id = $1", [subjects.rating])).rowCount,
      ).toBe(1);
    });
  });
});

test("the monthly report publishes no count below five", async () => {
  await as("Ana", async (client) => {
    await becomeOwner(client);
    await client.query("alter table public.reports disable trigger user");
    const add = (count: number, outcome: string | null) =>
      client.query(
        `insert into public.reports (subject_id, reported_user_id, reporter_id, created_at, resolved_at, outcome)
         select gen_random_uuid(), $1, $2, now(), case when $4::text is not null then now() + n * interval '1 minute' end, $4
         from generate_series(1, $3) as n`,
        [Ben.id, Ana.id, count, outcome],
      );
    const counted = async () => {
      await become(client, "visitor");
      const { rows } = await client.query("select * from public.count_moderation()");
      expect(rows).toHaveLength(12);
      await becomeOwner(client);
      return rows[0];
    };
    await add(5, null);
    await client.query(
      "update public.reports set created_at = (date_trunc('month', now() at time zone 'UTC') - interval '11 months') at time zone 'UTC'",
    );
    await become(client, "visitor");
    const { rows: months } = await client.query("select reports from public.count_moderation()");
    expect(months.map(({ reports }) => reports)).toEqual([...Array(11).fill(null), 5]);
    await becomeOwner(client);
    await client.query("delete from public.reports");
    await add(4, "acted");
    expect(await counted()).toMatchObject({
      reports: null,
      acted_on: null,
      median_minutes: null,
      appeals: null,
    });
    await add(5, "nothing");
    await add(2, null);
    expect(await counted()).toMatchObject({
      reports: 11,
      acted_on: null,
      median_minutes: 3,
      appeals_granted: null,
    });
    await add(1, "acted");
    expect(await counted()).toMatchObject({ reports: 12, acted_on: 5 });
  });
});
