import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { attempt, become, becomeOwner, OWNERS, type Person } from "#tests/helpers/people.ts";
import { ADD_DESK, reportsOf, subjects } from "./desk.ts";

const { as } = ownDatabase(ADD_DESK);

const { Ana, Ben, Eve, Mia } = OWNERS;
const REPORT = "insert into public.reports (kind, subject_id, code) values ($1, $2, 'insult') returning id";

describe("what can be reported, and the evidence kept", () => {
  test.each([
    ["message", subjects.message, "from a trader"],
    ["name", Ben.id, Ben.username],
    ["picture", Ben.id, `${Ben.id}/bad.png`],
    ["rating", subjects.rating, "1 of 5 stars: Slow"],
    ["answer", subjects.answer, "Was not"],
  ])("a %s", async (kind, subject, evidence) => {
    await as("Ana", async (client) => {
      await client.query(REPORT, [kind, subject]);
      await expect(attempt(client, REPORT, [kind, subject])).rejects.toMatchObject({ code: "23505" });
      await becomeOwner(client);
      // The evidence is kept even if the original is deleted.
      await client.query("delete from public.chat_messages");
      await client.query(
        "update public.profiles set avatar_url = null, username = 'QuietCrab77' where id = $1",
        [Ben.id],
      );
      await client.query("delete from public.user_ratings");
      await become(client, "Mia");
      expect(await reportsOf(client)).toMatchObject([
        { kind, evidence, reported_user_id: Ben.id, reporter_id: Ana.id, code: "insult" },
      ]);
    });
  });

  test("another name of the same user, by the same reporter", async () => {
    await as("Ana", async (client) => {
      await client.query(REPORT, ["name", Ben.id]);
      await becomeOwner(client);
      await client.query("update public.profiles set username = 'QuietCrab77' where id = $1", [Ben.id]);
      await become(client, "Ana");
      await client.query(REPORT, ["name", Ben.id]);
      expect((await reportsOf(client)).map(({ evidence }) => evidence)).toEqual([
        Ben.username,
        "QuietCrab77",
      ]);
    });
  });

  test("the new text of a rating, and the new answer to it, by the same reporter", async () => {
    await as("Ana", async (client) => {
      await client.query(REPORT, ["rating", subjects.rating]);
      await client.query(REPORT, ["answer", subjects.answer]);
      await client.query("update public.user_ratings set comment = 'Very rude' where rater_id = $1", [
        Ana.id,
      ]);
      await become(client, "Ben");
      await client.query("update public.user_ratings set comment = 'Very slow' where rater_id = $1", [
        Ben.id,
      ]);
      await client.query("select public.answer_rating($1, 'Not at all')", [subjects.answer]);
      await become(client, "Ana");
      await client.query(REPORT, ["rating", subjects.rating]);
      await client.query(REPORT, ["answer", subjects.answer]);
      await expect(attempt(client, REPORT, ["answer", subjects.answer])).rejects.toMatchObject({
        code: "23505",
      });
      const texts = (await reportsOf(client)).map(({ evidence }) => evidence);
      expect(texts.sort()).toEqual([
        "1 of 5 stars: Slow",
        "1 of 5 stars: Very slow",
        "Not at all",
        "Was not",
      ]);
    });
  });
});

test("a reported name is not taken back while the report is open, or if the name was removed for it", async () => {
  await as("Ana", async (client) => {
    const report = (await client.query(REPORT, ["name", Ben.id])).rows[0].id;
    const rename = (name: string) =>
      attempt(client, "update public.profiles set username = $2 where id = $1", [Ben.id, name]);
    await become(client, "Ben");
    // It does not tell that there is a report.
    await rename(Ben.username.toLowerCase());
    await rename("QuietCrab77");
    const refused = { message: "This username is not allowed" };
    for (const name of [Ben.username, "Calm_Panda_200"])
      await expect(rename(name)).rejects.toMatchObject(refused);
    await become(client, "Mia");
    await client.query(
      `insert into public.sanctions (user_id, kind, code, reason, report_id)
       values ($1, 'rename', 'insult', 'Be kind', $2)`,
      [Ben.id, report],
    );
    await become(client, "Ben");
    await expect(rename(Ben.username)).rejects.toMatchObject(refused);
    await become(client, "Mia");
    await client.query("update public.sanctions set lifted_at = now()");
    await client.query("update public.reports set resolved_at = now()");
    await become(client, "Ben");
    await rename(Ben.username);
  });
});

test("a name that was reported, but judged for something else, can be taken back", async () => {
  await as("Ana", async (client) => {
    await client.query(REPORT, ["name", Ben.id]);
    await become(client, "Mia");
    await client.query(
      `insert into public.sanctions (user_id, kind, code, reason, subject_id) values ($1, 'message', 'insult', 'Be kind', $2)`,
      [Ben.id, subjects.message],
    );
    await client.query("update public.reports set resolved_at = now() where resolved_at is null");
    await become(client, "Ben");
    for (const name of ["QuietCrab77", Ben.username])
      await attempt(client, "update public.profiles set username = $2 where id = $1", [Ben.id, name]);
  });
});

describe("a user who is not visible", () => {
  /** Runs a scene in which Ben is unlisted and has no message in the chat. */
  const withBenUnseen = (scene: (client: Client) => Promise<void>) =>
    as("Ana", async (client) => {
      await becomeOwner(client);
      await client.query("update public.profiles set listed = false where id = $1", [Ben.id]);
      await client.query("delete from public.chat_messages where user_id = $1", [Ben.id]);
      await become(client, "Ana");
      await scene(client);
    });

  test.each(["name", "picture"])("has no %s that a report would reveal", async (kind) => {
    await withBenUnseen(async (client) => {
      await expect(attempt(client, REPORT, [kind, Ben.id])).rejects.toMatchObject({
        message: "This is gone already",
      });
    });
  });

  test("is named in the report if they have a message in the chat", async () => {
    await withBenUnseen(async (client) => {
      await becomeOwner(client);
      await client.query("insert into public.chat_messages (user_id, message) values ($1, 'hello')", [
        Ben.id,
      ]);
      await become(client, "Ana");
      await client.query(REPORT, ["name", Ben.id]);
      expect(await reportsOf(client)).toMatchObject([{ kind: "name", evidence: Ben.username }]);
    });
  });

  test("is not named as the rater by a report of the rating, whose outcome the reporter still learns", async () => {
    await withBenUnseen(async (client) => {
      const report = "insert into public.reports (kind, subject_id, code) values ('rating', $1, 'insult')";
      await client.query(report, [subjects.rating]);
      expect(await reportsOf(client)).toEqual([]);
      await become(client, "Mia");
      expect(await reportsOf(client)).toMatchObject([{ kind: "rating", reported_user_id: Ben.id }]);
      await client.query("update public.reports set resolved_at = now()");
      await become(client, "Ana");
      const { rows } = await client.query("select * from public.list_own_reports()");
      expect(rows).toMatchObject([
        { kind: "rating", subject_id: subjects.rating, evidence: "1 of 5 stars: Slow", outcome: "nothing" },
      ]);
      expect(JSON.stringify(rows)).not.toContain(Ben.id);
      await become(client, "Eve");
      expect((await client.query("select * from public.list_own_reports()")).rows).toEqual([]);
    });
  });
});

test("nobody can report themselves, a missing subject, in another's name, without a listed reason, or as the database", async () => {
  await as("Ben", async (client) => {
    await expect(attempt(client, REPORT, ["name", Ben.id])).rejects.toMatchObject({
      constraint: "reports_nobody_reports_themselves",
    });
    await expect(attempt(client, REPORT, ["rating", Ana.id])).rejects.toMatchObject({
      message: "This is gone already",
    });
    await expect(attempt(client, REPORT, ["refusals", Ana.id])).rejects.toMatchObject({ code: "42501" });
    await expect(attempt(client, REPORT, ["weather", Ana.id])).rejects.toMatchObject({ code: "22023" });
    const coded = "insert into public.reports (kind, subject_id, code) values ('name', $1, 'ugly')";
    await expect(attempt(client, coded, [Ana.id])).rejects.toMatchObject({
      constraint: "reports_code_is_known",
    });
    const forged = "insert into public.reports (kind, subject_id, reporter_id) values ('name', $1, $2)";
    await expect(attempt(client, forged, [Ana.id, Eve.id])).rejects.toMatchObject({ code: "42501" });
  });
});

test("a user can send fifty reports a day", async () => {
  await as("Ana", async (client) => {
    await becomeOwner(client);
    await client.query(
      `insert into public.chat_messages (id, user_id, message)
       select gen_random_uuid(), $1, 'hello ' || chr(96 + n % 26 + 1) from generate_series(1, 51) as n`,
      [Ben.id],
    );
    const { rows } = await client.query("select id from public.chat_messages where message like 'hello%'");
    await become(client, "Ana");
    for (const { id } of rows.slice(0, 50)) await client.query(REPORT, ["message", id]);
    await expect(attempt(client, REPORT, ["message", rows[50].id])).rejects.toMatchObject({ code: "PT429" });
  });
});

describe("a picture that was reported", () => {
  const stored = async (client: Client) =>
    (await client.query("select name from storage.objects where bucket_id = 'avatars'")).rows;

  test("cannot be deleted by its owner until it is judged, even if no profile shows it any more", async () => {
    await as("Ana", async (client) => {
      const { rows } = await client.query(REPORT, ["picture", Ben.id]);
      await become(client, "Ben");
      await client.query("update public.profiles set avatar_url = null where id = $1", [Ben.id]);
      expect((await client.query("delete from storage.objects")).rowCount).toBe(0);
      expect((await client.query("update storage.objects set name = name")).rowCount).toBe(0);
      await become(client, "Mia");
      expect(await stored(client)).toHaveLength(1);
      await client.query("update public.reports set resolved_at = now() where id = $1", [rows[0].id]);
      expect(await stored(client)).toEqual([]);
    });
  });

  test("is not deleted by a moderator whom it shows", async () => {
    await as("Ana", async (client) => {
      await becomeOwner(client);
      await client.query("insert into storage.objects (bucket_id, name) values ('avatars', $1)", [
        `${Mia.id}/own.png`,
      ]);
      await client.query("update public.profiles set avatar_url = $2 where id = $1", [
        Mia.id,
        `/storage/v1/object/public/avatars/${Mia.id}/own.png`,
      ]);
      await become(client, "Ana");
      await client.query(REPORT, ["picture", Mia.id]);
      await become(client, "Mia");
      const remove = "delete from storage.objects where name like '%/own.png'";
      expect((await client.query(remove)).rowCount).toBe(0);
      await become(client, "Eve");
      expect((await client.query(remove)).rowCount).toBe(1);
    });
  });

  test("that was approved stays on its profile, and is deleted with the account", async () => {
    await as("Ana", async (client) => {
      await client.query(REPORT, ["picture", Ben.id]);
      await become(client, "Mia");
      await client.query("update public.reports set resolved_at = now()");
      expect(await stored(client)).toHaveLength(1);
      await becomeOwner(client);
      await client.query("update public.reports set resolved_at = null");
      await client.query("delete from auth.users where id = $1", [Ben.id]);
      expect(await stored(client)).toEqual([]);
    });
  });
});

test("the reporter sees the outcome of a report, but never who decided it", async () => {
  await as("Ana", async (client) => {
    await client.query(REPORT, ["name", Ben.id]);
    await client.query(REPORT, ["message", subjects.message]);
    await become(client, "Mia");
    await client.query("update public.reports set resolved_at = now() where kind = 'name'");
    await become(client, "Ana");
    expect((await reportsOf(client)).map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["name", "nothing"],
      ["message", null],
    ]);
    await become(client, "Mia");
    await client.query(
      "insert into public.sanctions (user_id, kind, code, reason, until) values ($1, 'silence', 'spam', 'Calm down', now() + interval '1 hour')",
      [Ben.id],
    );
    await become(client, "Ana");
    expect((await reportsOf(client)).map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["name", "nothing"],
      ["message", "acted"],
    ]);
    for (const hidden of ["resolved_by", "sanction_id"])
      await expect(attempt(client, `select ${hidden} from public.reports`)).rejects.toMatchObject({
        code: "42501",
      });
  });
});

describe("a report about a moderator", () => {
  const seen = async (client: Client, person: Person) => {
    await become(client, person);
    return (await reportsOf(client)).length;
  };

  test("is seen by the others only, who resolve and delete it; the reporter stays unknown to the reported", async () => {
    await as("Ana", async (client) => {
      await become(client, "Mia");
      await client.query("insert into public.chat_messages (message) values ('hi')");
      await become(client, "Ana");
      await client.query(
        "insert into public.reports (message_id) select id from public.chat_messages where user_id = $1",
        [Mia.id],
      );
      expect(await seen(client, "Mia")).toBe(0);
      expect((await client.query("update public.reports set resolved_at = now()")).rowCount).toBe(0);
      expect(await seen(client, "Eve")).toBe(1);
      await becomeOwner(client);
      await client.query("update public.user_roles set role = 'admin' where user_id = $1", [Mia.id]);
      await become(client, "Mia");
      expect((await client.query("delete from public.reports")).rowCount).toBe(0);
      await become(client, "Eve");
      expect((await client.query("delete from public.reports")).rowCount).toBe(1);
      // Nor does the audit log tell.
      const logged = "select from public.admin_acts where person_id = $1 and table_name = 'reports'";
      expect((await client.query(logged, [Mia.id])).rowCount).toBe(1);
      await become(client, "Mia");
      expect((await client.query(logged, [Mia.id])).rowCount).toBe(0);
    });
  });

  test("is seen by that moderator if there is no other, and left for the operator to resolve", async () => {
    await as("Ana", async (client) => {
      await client.query(REPORT, ["name", Eve.id]);
      await becomeOwner(client);
      await client.query("delete from public.user_roles where user_id = $1", [Mia.id]);
      expect(await seen(client, "Eve")).toBe(1);
      expect((await client.query("update public.reports set resolved_at = now()")).rowCount).toBe(0);
    });
  });
});

test("a message that was deleted before somebody joined cannot be reported by them, which would show it", async () => {
  await as("Ben", async (client) => {
    await client.query("delete from public.chat_messages where id = $1", [subjects.message]);
    const joined = (when: string) =>
      client.query(`update auth.users set created_at = now() + $2::interval where id = $1`, [Ana.id, when]);
    await becomeOwner(client);
    await joined("1 second");
    await become(client, "Ana");
    await expect(attempt(client, REPORT, ["message", subjects.message])).rejects.toMatchObject({
      message: "This message is gone",
    });
    await becomeOwner(client);
    await joined("-1 second");
    await become(client, "Ana");
    expect((await attempt(client, REPORT, ["message", subjects.message])).rowCount).toBe(1);
  });
});

describe("a second opinion", () => {
  test("leaves the case to another moderator", async () => {
    await as("Ana", async (client) => {
      await client.query(REPORT, ["name", Ben.id]);
      await become(client, "Mia");
      await client.query("insert into public.second_opinions (user_id) values ($1)", [Ben.id]);
      const close = "update public.reports set resolved_at = now()";
      await expect(attempt(client, close)).rejects.toMatchObject({
        code: "PT403",
        message: "You asked for a second opinion: another moderator closes this case",
      });
      await become(client, "Eve");
      expect((await client.query(close)).rowCount).toBe(1);
      expect((await client.query("select from public.second_opinions")).rowCount).toBe(0);
    });
  });

  test("cannot be requested if there is no one to give it, and urgent action is possible meanwhile", async () => {
    await as("Ana", async (client) => {
      await client.query(REPORT, ["name", Ben.id]);
      await become(client, "Mia");
      await client.query("insert into public.second_opinions (user_id) values ($1)", [Ben.id]);
      await client.query(
        "insert into public.sanctions (user_id, kind, code, reason) values ($1, 'rename', 'sexual', 'Not for children')",
        [Ben.id],
      );
      expect(await reportsOf(client)).toMatchObject([{ resolved_at: null, outcome: null }]);
      await becomeOwner(client);
      await client.query("delete from public.second_opinions");
      await client.query("delete from public.user_roles where user_id = $1", [Eve.id]);
      await become(client, "Mia");
      await expect(
        attempt(client, "insert into public.second_opinions (user_id) values ($1)", [Ben.id]),
      ).rejects.toMatchObject({ code: "42501" });
    });
  });
});

test("a case is no longer left to another moderator once there is none", async () => {
  const withMiaAlone = (scene: (client: Client) => Promise<void>) =>
    as("Ana", async (client) => {
      await client.query(REPORT, ["name", Ben.id]);
      await become(client, "Mia");
      await client.query("insert into public.second_opinions (user_id) values ($1)", [Ben.id]);
      await becomeOwner(client);
      await client.query("delete from public.user_roles where user_id = $1", [Eve.id]);
      await become(client, "Mia");
      await scene(client);
    });
  await withMiaAlone(async (client) => {
    await attempt(client, "update public.reports set resolved_at = now()");
    expect(await reportsOf(client)).toMatchObject([{ outcome: "nothing" }]);
  });
  await withMiaAlone(async (client) => {
    await client.query(
      "insert into public.sanctions (user_id, kind, code, reason) values ($1, 'rename', 'sexual', 'Not for children')",
      [Ben.id],
    );
    expect(await reportsOf(client)).toMatchObject([{ outcome: "acted" }]);
  });
});

test("notes are visible to moderators, but not to the user they are about", async () => {
  await as("Mia", async (client) => {
    await client.query("insert into public.case_notes (user_id, note) values ($1, 'Second time this week')", [
      Ben.id,
    ]);
    const seenBy = async (person: Person) => {
      await become(client, person);
      return (await client.query("select from public.case_notes")).rowCount;
    };
    expect([await seenBy("Eve"), await seenBy("Mia"), await seenBy("Ben"), await seenBy("Ana")]).toEqual([
      1, 1, 0, 0,
    ]);
    await becomeOwner(client);
    await client.query("insert into public.case_notes (user_id, note) values ($1, 'About a moderator')", [
      Mia.id,
    ]);
    expect(await seenBy("Mia")).toBe(1);
  });
});

test("a flood of refused texts is counted up to five hundred a day", async () => {
  await as("Ben", async (client) => {
    await becomeOwner(client);
    await client.query(
      "insert into private.refused_texts (user_id, reason) select $1, 'Links are not allowed here' from generate_series(1, 499)",
      [Ben.id],
    );
    for (let times = 0; times < 3; times += 1)
      await client.query("select private.note_refusal($1, 'x')", [Ben.id]);
    const { rows } = await client.query("select count(*)::int from private.refused_texts");
    expect(rows).toEqual([{ count: 500 }]);
  });
});

test("five refused texts within a day report a user to the moderators once, with the reasons but no text", async () => {
  await as("Ben", async (client) => {
    await becomeOwner(client);
    const refuse = (reason: string) => client.query("select private.note_refusal($1, $2)", [Ben.id, reason]);
    for (let times = 0; times < 4; times += 1) await refuse("Phone numbers are not allowed here");
    expect(await reportsOf(client)).toEqual([]);
    await refuse("Links are not allowed here");
    await refuse("Links are not allowed here");
    await become(client, "Mia");
    expect(await reportsOf(client)).toMatchObject([
      {
        kind: "refusals",
        reporter_id: null,
        reported_user_id: Ben.id,
        evidence: "4 × Phone numbers are not allowed here\n2 × Links are not allowed here",
      },
    ]);
    await client.query("update public.reports set resolved_at = now()");
    await becomeOwner(client);
    await refuse("Links are not allowed here");
    expect((await reportsOf(client)).length).toBe(1);
    await become(client, "Ben");
    expect(await reportsOf(client)).toEqual([]);
  });
});
