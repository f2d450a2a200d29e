import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { attempt, become, becomeOwner, OWNERS } from "#tests/helpers/people.ts";
import { ADD_DESK, reportsOf, subjects } from "./desk.ts";

const { as } = ownDatabase(ADD_DESK);

const { Ana, Ben, Eve, Mia } = OWNERS;

type Sanction = { kind: string; person?: { id: string }; subject?: string; length?: string };

/** Sanctions a user, Ben by default, as the client's current user. */
async function sanction(client: Client, { kind, person = Ben, subject, length }: Sanction): Promise<string> {
  const { rows } = await attempt(
    client,
    `insert into public.sanctions (user_id, kind, code, reason, subject_id, until)
     values ($1, $2, 'insult', ' Be kind ', $3, case $4 when 'ever' then 'infinity' else now() + $4::interval end) returning id`,
    [person.id, kind, subject ?? null, length ?? null],
  );
  return rows[0].id;
}

const lift = (client: Client, id: string) =>
  attempt(client, "update public.sanctions set lifted_at = '1999-01-01' where id = $1", [id]);

/** Reads one value, bypassing all policies. */
async function read(client: Client, query: string, values: unknown[] = []) {
  await becomeOwner(client);
  const { rows } = await client.query({ text: query, values, rowMode: "array" });
  return rows[0]?.[0];
}

const nameOf = (client: Client, { id }: { id: string }) =>
  read(client, "select username from public.profiles where id = $1", [id]);
const say = (client: Client) => attempt(client, "insert into public.chat_messages (message) values ('hi')");

describe("a moderator's actions on a user, and their reversal", () => {
  test("a message is removed for everybody", async () => {
    await as("Mia", async (client) => {
      await sanction(client, { kind: "message", subject: subjects.message });
      expect(await read(client, "select removed from public.sanctions")).toBe("from a trader");
      expect(await read(client, "select count(*)::int from public.chat_messages")).toBe(0);
    });
  });

  test("the id of a removed message is not used again, also after a day if the message was reported", async () => {
    await as("Ana", async (client) => {
      await client.query("insert into public.reports (message_id) values ($1)", [subjects.message]);
      await become(client, "Mia");
      await sanction(client, { kind: "message", subject: subjects.message });
      const again = "insert into public.chat_messages (id, message) values ($1, 'hi')";
      const refused = { code: "23505", message: "This message was sent already" };
      await become(client, "Ben");
      await expect(attempt(client, again, [subjects.message])).rejects.toMatchObject(refused);
      await becomeOwner(client);
      expect((await client.query("delete from public.deleted_chat_messages")).rowCount).toBe(1);
      await become(client, "Ben");
      await expect(attempt(client, again, [subjects.message])).rejects.toMatchObject(refused);
    });
  });

  test("a silence takes effect, and ends with its sanction or when deleted from its own table", async () => {
    await as("Mia", async (client) => {
      const id = await sanction(client, { kind: "silence", length: "1 hour" });
      await become(client, "Ben");
      await expect(say(client)).rejects.toMatchObject({
        code: "PT403",
        message: expect.stringMatching(/Be kind$/),
      });
      await become(client, "Mia");
      await lift(client, id);
      await become(client, "Ben");
      expect((await say(client)).rowCount).toBe(1);

      await become(client, "Mia");
      await sanction(client, { kind: "silence", length: "ever" });
      await client.query("delete from public.chat_silences");
      expect(await read(client, "select count(*)::int from public.sanctions where lifted_at is null")).toBe(
        0,
      );
    });
  });

  test("a silence that is over keeps its strike when it is deleted from its table", async () => {
    await as("Mia", async (client) => {
      await sanction(client, { kind: "silence", length: "1 hour" });
      await becomeOwner(client);
      await client.query(
        `update public.sanctions set created_at = now() - interval '2 hours', until = now() - interval '1 hour';
         update public.chat_silences set created_at = now() - interval '2 hours', until = now() - interval '1 hour'`,
      );
      await become(client, "Mia");
      expect((await client.query("delete from public.chat_silences")).rowCount).toBe(1);
      expect(await read(client, "select count(*)::int from public.sanctions where lifted_at is null")).toBe(
        1,
      );
    });
  });

  test("a picture is removed from its profile and from storage", async () => {
    await as("Mia", async (client) => {
      await sanction(client, { kind: "picture" });
      expect(await read(client, "select removed from public.sanctions")).toBe(`${Ben.id}/bad.png`);
      expect(await read(client, "select avatar_url from public.profiles where id = $1", [Ben.id])).toBe(null);
      expect(await read(client, "select count(*)::int from storage.objects")).toBe(0);
    });
  });

  test("open chats hear of a removed picture: a message of its user is written again, unchanged", async () => {
    await as("Mia", async (client) => {
      const place = () =>
        read(client, "select ctid::text from public.chat_messages where user_id = $1", [Ben.id]);
      const text = () => read(client, "select to_jsonb(chat_messages) from public.chat_messages");
      const before = [await text(), await place()];
      await become(client, "Mia");
      await sanction(client, { kind: "picture" });
      expect(await text()).toEqual(before[0]);
      expect(await place()).not.toBe(before[1]);
    });
  });

  test("a picture that is still kept as evidence cannot be shown again by its user", async () => {
    await as("Ana", async (client) => {
      await client.query("insert into public.reports (kind, subject_id) values ('picture', $1)", [Ben.id]);
      await become(client, "Mia");
      await client.query("insert into public.second_opinions (user_id) values ($1)", [Ben.id]);
      await sanction(client, { kind: "picture" });
      expect(await read(client, "select count(*)::int from storage.objects")).toBe(1);
      await become(client, "Ben");
      const show = `update public.profiles set avatar_url = '/storage/v1/object/public/avatars/${Ben.id}/bad.png'
        where id = '${Ben.id}'`;
      await expect(attempt(client, show)).rejects.toMatchObject({ message: "This picture is not allowed" });
    });
  });

  test("an answer is restored also if the site no longer knows its words", async () => {
    await as("Mia", async (client) => {
      const id = await sanction(client, { kind: "comment", subject: subjects.answer });
      await becomeOwner(client);
      await client.query("delete from private.vocabularies where language not in ('items', 'site')");
      await become(client, "Mia");
      await lift(client, id);
      expect(
        await read(client, "select answer from public.user_ratings where id = $1", [subjects.answer]),
      ).toBe("#### ####");
    });
  });

  test("a comment is removed from a rating that was deleted and given again", async () => {
    await as("Ben", async (client) => {
      const rate = `insert into public.user_ratings (rated_user_id, rating, comment) values ($1, 1, 'Slow')
        on conflict (rater_id, rated_user_id) do update set comment = excluded.comment returning id`;
      const rateAgain = async () => {
        await client.query("delete from public.user_ratings where rater_id = $1", [Ben.id]);
        return (await client.query(rate, [Ana.id])).rows[0].id;
      };
      const id = await rateAgain();
      expect(await rateAgain()).toBe(id);
      expect((await client.query(rate, [Ana.id])).rows).toEqual([{ id }]);
      await become(client, "Mia");
      const removal = await sanction(client, { kind: "comment", subject: id });
      const comment = () => read(client, "select comment from public.user_ratings where id = $1", [id]);
      expect(await comment()).toBe(null);
      // It is not put back under one that was given since, without a comment.
      await become(client, "Ben");
      await client.query("delete from public.user_ratings where rater_id = $1", [Ben.id]);
      await client.query("insert into public.user_ratings (rated_user_id, rating) values ($1, 5)", [Ana.id]);
      await becomeOwner(client);
      await client.query("update public.user_ratings set created_at = now() + interval '1 minute'");
      await become(client, "Mia");
      await lift(client, removal);
      expect(await comment()).toBe(null);
    });
  });

  test("a comment or answer is removed and restored; stars and date stay", async () => {
    await as("Mia", async (client) => {
      const row = (id: string) =>
        read(client, "select to_jsonb(given) from public.user_ratings as given where id = $1", [id]);
      const before = [await row(subjects.rating), await row(subjects.answer)];
      await become(client, "Mia");
      const comment = await sanction(client, { kind: "comment", subject: subjects.rating });
      const answer = await sanction(client, { kind: "comment", subject: subjects.answer });
      expect(await row(subjects.rating)).toEqual({ ...before[0], comment: null });
      expect(await row(subjects.answer)).toEqual({ ...before[1], answer: null });
      await become(client, "Mia");
      await lift(client, comment);
      await lift(client, answer);
      expect([await row(subjects.rating), await row(subjects.answer)]).toEqual(before);
    });
  });

  test("when taken back at once the reports are open again; later they are closed without action", async () => {
    await as("Ana", async (client) => {
      const report = "insert into public.reports (kind, subject_id) values ('name', $1)";
      await client.query(report, [Ben.id]);
      await become(client, "Mia");
      const slip = await sanction(client, { kind: "silence", length: "1 day" });
      expect(await reportsOf(client)).toMatchObject([{ outcome: "acted" }]);
      await lift(client, slip);
      expect(await reportsOf(client)).toMatchObject([{ outcome: null, resolved_at: null }]);
      const wrong = await sanction(client, { kind: "silence", length: "1 day" });
      await becomeOwner(client);
      await client.query(
        "update public.sanctions set created_at = now() - interval '11 minutes' where id = $1",
        [wrong],
      );
      await become(client, "Mia");
      await lift(client, wrong);
      expect(await reportsOf(client)).toMatchObject([{ outcome: "nothing", resolved_at: expect.any(Date) }]);
      await expect(lift(client, wrong)).rejects.toMatchObject({
        message: "What was taken back stays taken back",
      });
    });
  });
});

describe("lifting a sanction later", () => {
  const age = async (client: Client) => {
    await becomeOwner(client);
    await client.query("set local session_replication_role = replica");
    await client.query("update public.sanctions set created_at = now() - interval '1 hour'");
    await client.query("update public.reports set resolved_at = now() - interval '1 hour'");
    await client.query("set local session_replication_role = origin");
  };

  test.each(["Mia", "Eve"] as const)(
    "by %s keeps Mia's request for a second opinion, and when its reports were resolved",
    async (lifter) => {
      await as("Ana", async (client) => {
        const report = "insert into public.reports (kind, subject_id) values ($1, $2)";
        await client.query(report, ["name", Ben.id]);
        await become(client, "Mia");
        const id = await sanction(client, { kind: "silence", length: "1 day" });
        await age(client);
        await become(client, "Ana");
        await client.query(report, ["message", subjects.message]);
        await become(client, "Mia");
        await client.query("insert into public.second_opinions (user_id) values ($1)", [Ben.id]);
        await become(client, lifter);
        await lift(client, id);
        expect(await read(client, "select count(*)::int from public.second_opinions")).toBe(1);
        const { rows } = await client.query(
          "select kind, outcome, round(extract(epoch from now() - resolved_at))::int as ago from public.reports order by kind",
        );
        expect(rows).toEqual([
          { kind: "message", outcome: null, ago: null },
          { kind: "name", outcome: "nothing", ago: 3600 },
        ]);
      });
    },
  );

  test("leaves a report open that was opened again", async () => {
    await as("Ana", async (client) => {
      await client.query("insert into public.reports (kind, subject_id) values ('name', $1)", [Ben.id]);
      await become(client, "Mia");
      const id = await sanction(client, { kind: "silence", length: "1 day" });
      await age(client);
      await become(client, "Mia");
      await client.query("update public.reports set resolved_at = null");
      await lift(client, id);
      expect(await reportsOf(client)).toMatchObject([{ outcome: null, resolved_at: null }]);
    });
  });
});

test("a report that is opened again and closed again keeps its outcome as long as the sanction stands", async () => {
  await as("Ana", async (client) => {
    await client.query("insert into public.reports (kind, subject_id) values ('name', $1)", [Ben.id]);
    await become(client, "Mia");
    const id = await sanction(client, { kind: "silence", length: "1 hour" });
    const again = async () => {
      await become(client, "Mia");
      await client.query("update public.reports set resolved_at = null");
      expect(await reportsOf(client)).toMatchObject([{ outcome: null, resolved_at: null }]);
      await client.query("update public.reports set resolved_at = now()");
      return (await reportsOf(client))[0]?.outcome;
    };
    expect(await again()).toBe("acted");
    await lift(client, id);
    expect(await reportsOf(client)).toMatchObject([{ outcome: null, resolved_at: null }]);
    expect(await again()).toBe("nothing");
  });
});

test("two moderators who act on one case give one strike: the second is refused, unless it is open again", async () => {
  await as("Ana", async (client) => {
    await client.query("insert into public.reports (kind, subject_id) values ('name', $1)", [Ben.id]);
    const report = await read(client, "select id from public.reports");
    const act = async (moderator: "Mia" | "Eve") => {
      await become(client, moderator);
      const { rows } = await attempt(
        client,
        `insert into public.sanctions (user_id, kind, code, reason, report_id)
         values ($1, 'rename', 'insult', 'Be kind', $2) returning id`,
        [Ben.id, report],
      );
      return rows[0].id;
    };
    const first = await act("Mia");
    const between = await nameOf(client, Ben);
    await expect(act("Eve")).rejects.toMatchObject({
      code: "PT409",
      message: "This case was handled in the meantime",
    });
    expect(await nameOf(client, Ben)).toBe(between);
    await become(client, "Mia");
    await lift(client, first);
    await act("Eve");
    expect(await read(client, "select count(*)::int from public.sanctions where lifted_at is null")).toBe(1);
  });
});

describe("a forced name", () => {
  test("replaces the old one at once, also on earlier messages, until the user chooses another", async () => {
    await as("Mia", async (client) => {
      await sanction(client, { kind: "rename" });
      const between = await nameOf(client, Ben);
      expect(between).not.toBe(Ben.username);
      expect(await read(client, "select username from public.chat_messages")).toBe(between);

      await become(client, "Ben");
      const rate = "insert into public.user_ratings (rated_user_id, rating) values ($1, 5)";
      for (const write of [
        () => say(client),
        () => attempt(client, rate, [Eve.id]),
        () => attempt(client, "select public.answer_rating($1, 'No')", [subjects.answer]),
      ]) {
        await expect(write()).rejects.toMatchObject({
          code: "PT403",
          message: "Please choose a new username first, on your account page",
          hint: "username",
        });
      }
      const rename = "update public.profiles set username = $2 where id = $1";
      for (const same of [Ben.username, "Calm_Panda_200"]) {
        await expect(attempt(client, rename, [Ben.id, same])).rejects.toMatchObject({
          message: "This username is not allowed",
        });
      }
      const { rows } = await client.query("select array(select public.suggest_usernames()) as offered");
      expect(rows[0].offered).toHaveLength(6);
      await client.query(rename, [Ben.id, rows[0].offered[0]]);
      expect((await say(client)).rowCount).toBe(1);
      // The forced choice does not count toward the three renames a day.
      for (const name of ["BoldCrab1", "BoldCrab2", "BoldCrab3"]) await client.query(rename, [Ben.id, name]);
      await expect(attempt(client, rename, [Ben.id, "BoldCrab4"])).rejects.toMatchObject({ code: "PT429" });
    });
  });

  test("replaces the old one in messages that mention its user, whose text stays", async () => {
    await as("Eve", async (client) => {
      const mention = (people: { id: string }[]) =>
        client.query(
          "insert into public.chat_messages (message, mentions) values ('offering 5 dragon', $1)",
          [people.map(({ id }) => id)],
        );
      await mention([Ana, Ben]);
      await mention([Ben, Ana]);
      await becomeOwner(client);
      // Texts that were judged are not judged again.
      await client.query("delete from private.vocabularies where language not in ('items', 'site')");
      await become(client, "Mia");
      const id = await sanction(client, { kind: "rename" });
      const between = await nameOf(client, Ben);
      const said = () =>
        read(
          client,
          "select array_agg(message order by created_at) from public.chat_messages where mentions is not null",
        );
      expect(await said()).toEqual([
        `@${Ana.username} @${between} offering 5 dragon`,
        `@${between} @${Ana.username} offering 5 dragon`,
      ]);
      await become(client, "Mia");
      await lift(client, id);
      expect(await said()).toEqual([
        `@${Ana.username} @${Ben.username} offering 5 dragon`,
        `@${Ben.username} @${Ana.username} offering 5 dragon`,
      ]);
    });
  });

  test("that is taken back restores the old name, unless another was chosen", async () => {
    await as("Mia", async (client) => {
      await lift(client, await sanction(client, { kind: "rename" }));
      expect(await nameOf(client, Ben)).toBe(Ben.username);
      await become(client, "Ben");
      expect((await say(client)).rowCount).toBe(1);
      await become(client, "Mia");
      const id = await sanction(client, { kind: "rename" });
      await become(client, "Ben");
      await client.query("update public.profiles set username = 'BoldCrab5' where id = $1", [Ben.id]);
      await become(client, "Mia");
      await lift(client, id);
      expect(await nameOf(client, Ben)).toBe("BoldCrab5");
    });
  });

  test.each([
    ["somebody has taken", `update public.profiles set username = 'calmpanda200' where id = '${Ana.id}'`],
    [
      "looks like an editor's public name",
      `insert into public.editor_names (user_id, name) values ('${Eve.id}', 'Calm_Panda200')`,
    ],
    ["looks like the site's", "update private.settings set site_name = 'Calm Panda'"],
  ])("that is taken back stays where the old name is one that %s", async (_, meanwhile) => {
    await as("Mia", async (client) => {
      const id = await sanction(client, { kind: "rename" });
      const between = await nameOf(client, Ben);
      await client.query(meanwhile);
      await become(client, "Mia");
      expect((await lift(client, id)).rowCount).toBe(1);
      expect(await nameOf(client, Ben)).toBe(between);
      await become(client, "Ben");
      expect((await say(client)).rowCount).toBe(1);
    });
  });
});

test("a ban ends every session, gives its reason to anyone with the password, and ends when lifted", async () => {
  await as("Mia", async (client) => {
    await becomeOwner(client);
    await client.query("insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)", [Ben.id]);
    await become(client, "Mia");
    const id = await sanction(client, { kind: "ban", length: "7 days" });
    const banned = "select banned_until > now() + interval '6 days' from auth.users where id = $1";
    expect(await read(client, banned, [Ben.id])).toBe(true);
    expect(await read(client, "select count(*)::int from auth.sessions where user_id = $1", [Ben.id])).toBe(
      0,
    );
    const explain = (valid: boolean) =>
      read(client, "select private.explain_ban($1)", [{ user_id: Ben.id, valid }]);
    expect(await explain(true)).toEqual({
      decision: "reject",
      message: expect.stringMatching(
        /^This account is suspended until \w{3} \d+, \d{4}, \d+:\d\d [AP]M UTC\. Reason: Be kind\. To appeal: \/appeal\?key=[0-9a-f-]{36}$/,
      ),
    });
    expect(await explain(false)).toEqual({ decision: "continue" });
    await become(client, "Mia");
    await sanction(client, { kind: "ban", length: "ever" });
    expect((await explain(true)).message).toMatch(/^This account is suspended for good\. Reason: Be kind\./);
    await become(client, "Mia");
    await client.query("update public.sanctions set lifted_at = now() where until = 'infinity'");
    expect(await read(client, banned, [Ben.id])).toBe(true);
    await become(client, "Mia");
    await lift(client, id);
    expect(await read(client, "select banned_until from auth.users where id = $1", [Ben.id])).toBe(null);
    expect(await explain(true)).toEqual({ decision: "continue" });
  });
});

describe("of several silences or bans, the one that ends last is in force", () => {
  const bannedFor = (client: Client) =>
    read(
      client,
      "select round(extract(epoch from banned_until - now()) / 86400)::int from auth.users where id = $1",
      [Ben.id],
    );
  const silencedFor = (client: Client) =>
    read(
      client,
      "select case when isfinite(until) then round(extract(epoch from until - now()) / 86400)::text else 'ever' end from public.chat_silences",
    );

  test("a shorter ban ends none, also when either is taken back", async () => {
    await as("Mia", async (client) => {
      const act = async (length: string) => {
        await become(client, "Mia");
        return await sanction(client, { kind: "ban", length });
      };
      const long = await act("30 days");
      const short = await act("7 days");
      expect(await bannedFor(client)).toBe(30);
      await become(client, "Mia");
      await lift(client, long);
      expect(await bannedFor(client)).toBe(7);
      await act("30 days");
      await become(client, "Mia");
      await lift(client, short);
      expect(await bannedFor(client)).toBe(30);
    });
  });

  test("a shorter ban ends none that was set in the auth service alone, also when it is taken back", async () => {
    await as("Mia", async (client) => {
      await becomeOwner(client);
      await client.query("update auth.users set banned_until = now() + interval '90 days' where id = $1", [
        Ben.id,
      ]);
      for (const [length, longest] of [
        ["7 days", 90],
        ["100 days", 100],
      ] as const) {
        await become(client, "Mia");
        const ban = await sanction(client, { kind: "ban", length });
        expect(await bannedFor(client)).toBe(longest);
        await become(client, "Mia");
        await lift(client, ban);
        expect(await bannedFor(client)).toBe(length === "7 days" ? 90 : null);
      }
    });
  });

  test("a shorter silence ends none, also when either is taken back", async () => {
    await as("Mia", async (client) => {
      const act = async (length: string) => {
        await become(client, "Mia");
        return await sanction(client, { kind: "silence", length });
      };
      const long = await act("ever");
      const short = await act("7 days");
      expect(await silencedFor(client)).toBe("ever");
      await become(client, "Mia");
      await lift(client, long);
      expect(await silencedFor(client)).toBe("7");
      const longer = await act("30 days");
      await become(client, "Mia");
      await lift(client, short);
      expect(await silencedFor(client)).toBe("30");
      await become(client, "Mia");
      await lift(client, longer);
      expect(await silencedFor(client)).toBe(undefined);
    });
  });

  test("a silence that an admin wrote directly is neither shortened nor lifted with a sanction", async () => {
    await as("Eve", async (client) => {
      await client.query("insert into public.chat_silences (user_id, reason) values ($1, 'x')", [Ben.id]);
      await becomeOwner(client);
      await client.query("update public.chat_silences set created_at = now() - interval '1 hour'");
      for (const length of ["1 day", "ever"]) {
        await become(client, "Mia");
        const id = await sanction(client, { kind: "silence", length });
        expect(await silencedFor(client)).toBe("ever");
        await become(client, "Mia");
        await lift(client, id);
        expect(await silencedFor(client)).toBe("ever");
      }
    });
  });

  test("two silences with one end last until both are lifted", async () => {
    await as("Mia", async (client) => {
      const [first, second] = [
        await sanction(client, { kind: "silence", length: "7 days" }),
        await sanction(client, { kind: "silence", length: "7 days" }),
      ];
      await lift(client, first);
      expect(await silencedFor(client)).toBe("7");
      await become(client, "Mia");
      await lift(client, second);
      expect(await silencedFor(client)).toBe(undefined);
    });
  });

  test("deleting a silence from its table lifts all of its sanctions", async () => {
    await as("Mia", async (client) => {
      await sanction(client, { kind: "silence", length: "7 days" });
      await sanction(client, { kind: "silence", length: "ever" });
      await client.query("delete from public.chat_silences");
      expect(await read(client, "select count(*)::int from public.sanctions where lifted_at is null")).toBe(
        0,
      );
      expect(await silencedFor(client)).toBe(undefined);
    });
  });
});

test.each(["2126-12-01", "9999-12-31", "290000-01-01", "-infinity"])(
  "a ban or silence until %s is refused: a program that cannot read the time would not hold it",
  async (until) => {
    await as("Eve", async (client) => {
      const refused = { code: "23514" };
      for (const kind of ["ban", "silence"])
        await expect(
          attempt(
            client,
            "insert into public.sanctions (user_id, kind, code, reason, until) values ($1, $2, 'spam', 'x', $3)",
            [Ben.id, kind, until],
          ),
        ).rejects.toMatchObject(refused);
      const silence = "insert into public.chat_silences (user_id, reason, until) values ($1, 'x', $2)";
      await expect(attempt(client, silence, [Ben.id, until])).rejects.toMatchObject(refused);
    });
  },
);

test("nobody can sanction themselves, a moderator no admin, and other users nobody", async () => {
  await as("Mia", async (client) => {
    const silence = { kind: "silence", length: "1 hour" };
    await expect(sanction(client, { ...silence, person: Mia })).rejects.toMatchObject({ code: "42501" });
    await expect(sanction(client, { ...silence, person: Eve })).rejects.toMatchObject({
      code: "PT403",
      message: "Only an admin can act about a moderator or an admin",
    });
    await become(client, "Eve");
    await expect(sanction(client, { ...silence, person: Eve })).rejects.toMatchObject({ code: "42501" });
    const about = await sanction(client, { ...silence, person: Mia });
    await become(client, "Mia");
    expect(
      (await client.query("update public.sanctions set lifted_at = now() where id = $1", [about])).rowCount,
    ).toBe(0);
    await become(client, "Ana");
    await expect(sanction(client, silence)).rejects.toMatchObject({ code: "42501" });
    expect((await client.query("update public.sanctions set lifted_at = now()")).rowCount).toBe(0);
    for (const bad of [
      { kind: "silence" },
      { kind: "comment" },
      { kind: "ban", length: "-1 hour" },
      { kind: "fine" },
    ]) {
      await become(client, "Mia");
      await expect(sanction(client, bad), bad.kind).rejects.toMatchObject({
        code: expect.stringMatching(/^(23514|23502|20000)$/),
      });
    }
  });
});

test("a user reads why and until when, never by whom; three strikes count until they expire or are taken back", async () => {
  await as("Mia", async (client) => {
    const ids = [];
    for (const kind of ["rename", "picture"]) ids.push(await sanction(client, { kind }));
    const isUnder = async () => {
      await become(client, "Ben");
      return (await client.query("select public.is_under_strikes() as it")).rows[0].it;
    };
    expect(await isUnder()).toBe(false);
    await become(client, "Mia");
    const ban = await sanction(client, { kind: "ban", length: "1 hour" });
    expect(await isUnder()).toBe(true);
    const { rows } = await client.query(
      "select kind, reason, (counts_until - created_at)::text as counts from public.sanctions order by kind",
    );
    expect(rows).toEqual([
      { kind: "ban", reason: "Be kind", counts: "90 days" },
      { kind: "picture", reason: "Be kind", counts: "30 days" },
      { kind: "rename", reason: "Be kind", counts: "30 days" },
    ]);
    for (const hidden of ["created_by", "lifted_by", "appeal_key"])
      await expect(attempt(client, `select ${hidden} from public.sanctions`)).rejects.toMatchObject({
        code: "42501",
      });
    await become(client, "Ana");
    expect((await client.query("select from public.sanctions")).rowCount).toBe(0);
    await become(client, "Mia");
    await lift(client, ban);
    expect(await isUnder()).toBe(false);
    await become(client, "Mia");
    await sanction(client, { kind: "ban", length: "1 hour" });
    expect(await isUnder()).toBe(true);
    await becomeOwner(client);
    await client.query("update public.sanctions set counts_until = now() where id = $1", [ids[0]]);
    expect(await isUnder()).toBe(false);
  });
});

test("each act is logged once under its moderator, and moderators read only actions on users", async () => {
  await as("Mia", async (client) => {
    const id = await sanction(client, { kind: "silence", length: "1 hour" });
    await lift(client, id);
    const acts = async () =>
      (await client.query("select admin_id, act, table_name, person_id from public.admin_acts order by id"))
        .rows;
    expect(await acts()).toEqual([
      { admin_id: Mia.id, act: "insert", table_name: "sanctions", person_id: Ben.id },
      { admin_id: Mia.id, act: "update", table_name: "sanctions", person_id: Ben.id },
    ]);
    await become(client, "Eve");
    expect((await acts()).map(({ table_name }) => table_name)).toContain("user_roles");
  });
});

test("a kind of which nobody said what it does is an error, when it is imposed and when it is lifted", async () => {
  await as("Mia", async (client) => {
    await becomeOwner(client);
    await client.query("alter table public.sanctions drop constraint sanctions_kind_is_known");
    await become(client, "Mia");
    await expect(sanction(client, { kind: "shadow" })).rejects.toMatchObject({
      code: "20000",
    });
    const id = await sanction(client, { kind: "rename" });
    await becomeOwner(client);
    await client.query("update public.sanctions set kind = 'shadow' where id = $1", [id]);
    await become(client, "Mia");
    await expect(lift(client, id)).rejects.toMatchObject({ code: "20000" });
  });
});
