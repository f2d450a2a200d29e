import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { sessionsOf } from "./sessions.ts";

const TIMES = 20;
const { Ana, Ben, Eve } = ACCOUNTS;
/** More users, the first of whom act in parallel. */
const crowd = Array.from({ length: 120 }, (_, n) => `c1000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
const database = ownDatabase(`
  update private.settings set site_url = 'https://values.example', stores_contact_messages = true, takes_uploads = true;
  insert into auth.users (id) select unnest('{${crowd}}'::uuid[]);`);

const { openSession, openOwnerSession, beginWaiting, overtake } = sessionsOf(database);

/** Who acts, what they do in the turn `n`. */
type Act = { person?: (n: number) => string; sql: (n: number) => string };

/** Every turn in its own session and transaction, all at the same time; the first column of each answer, or its error. */
async function inParallel({ person = () => Ana.id, sql }: Act): Promise<unknown[]> {
  const sessions = await Promise.all(Array.from({ length: TIMES }, (_, n) => openSession(person(n))));
  const answers = await Promise.all(
    sessions.map(async (client, n) => {
      try {
        const { rows } = await client.query({ text: sql(n), rowMode: "array" });
        await client.query("commit");
        return rows[0]?.[0] ?? "done";
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await client.end();
      }
    }),
  );
  return answers;
}

/** How often each answer came. */
function tally(answers: unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[String(answer)] = (counts[String(answer)] ?? 0) + 1;
  return counts;
}

const item = "(select id from public.items where slug = 'kitsune')";
const side = `(select jsonb_build_array(jsonb_build_object('id', id)) from public.items where slug = 'kitsune')`;
const message = (n: number) => `c2000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const done = (act: string, times: number) =>
  `insert into private.daily_acts (user_id, act, done) values ('${Ana.id}', '${act}', array_fill(now(), array[${times}]))
   on conflict (user_id, act) do update set done = excluded.done`;
const MESSAGES = `insert into public.chat_messages (id, user_id, message)
  select asked.id::uuid, '${Ben.id}', 'hi' from unnest('{${Array.from({ length: TIMES }, (_, n) => message(n))}}'::text[]) as asked (id)
  where not exists (select from public.chat_messages as stored where stored.id = asked.id::uuid)`;

type Limit = Act & { what: string; prepare?: string; allowed: number; refusal: string };
const LIMITS: Limit[] = [
  {
    what: "saved trades",
    prepare: `set session_replication_role = replica;
      insert into public.trade_history (user_id, your_items, their_items) select '${Ana.id}', '[]', '[]' from generate_series(1, 4990);
      set session_replication_role = origin`,
    sql: () => `insert into public.trade_history (your_items, their_items) values (${side}, ${side})`,
    allowed: 10,
    refusal: "23514",
  },
  {
    what: "people whom a user mutes",
    prepare: `set session_replication_role = replica;
      insert into public.chat_mutes (user_id, muted_user_id) select '${Ana.id}', gen_random_uuid() from generate_series(1, 990);
      set session_replication_role = origin`,
    sql: (n) => `insert into public.chat_mutes (muted_user_id) values ('${crowd[n]}')`,
    allowed: 10,
    refusal: "23514",
  },
  {
    what: "messages in ten seconds",
    sql: () => "insert into public.chat_messages (message) values ('hi')",
    allowed: 5,
    refusal: "PT429",
  },
  {
    what: "reactions of a user in a minute",
    prepare: `${MESSAGES}; insert into private.paces (user_id, act, done_at) values ('${Ana.id}', 'reaction', array_fill(now(), array[20]))`,
    sql: (n) => `insert into public.chat_reactions (message_id, emoji) values ('${message(n)}', '🔥')`,
    allowed: 10,
    refusal: "PT429",
  },
  {
    what: "reactions of one kind to a message",
    prepare: `${MESSAGES}; insert into public.chat_reactions (message_id, emoji, user_id)
      select '${message(0)}', '👍', id::uuid from unnest('{${crowd.slice(TIMES, TIMES + 90)}}'::text[]) as id`,
    person: (n) => crowd[n] as string,
    sql: () => `insert into public.chat_reactions (message_id, emoji) values ('${message(0)}', '👍')`,
    allowed: 10,
    refusal: "23514",
  },
  {
    what: "ratings in a day",
    prepare: done("rate", 20),
    sql: (n) => `insert into public.user_ratings (rated_user_id, rating) values ('${crowd[n]}', 5)`,
    allowed: 10,
    refusal: "PT429",
  },
  {
    what: "names in a day",
    sql: (n) => `update public.profiles set username = 'SwiftOtter${300 + n}' where id = '${Ana.id}'`,
    allowed: 3,
    refusal: "PT429",
  },
  {
    what: "changes of a profile in a minute",
    prepare: `insert into private.paces (user_id, act, done_at) values ('${Ana.id}', 'profile', array_fill(now(), array[10]))
      on conflict (user_id, act) do update set done_at = excluded.done_at`,
    sql: (n) => `update public.profiles set listed = ${n % 2 === 0} where id = '${Ana.id}'`,
    allowed: 10,
    refusal: "PT429",
  },
  {
    what: "reports in a day",
    prepare: `${MESSAGES}; ${done("report", 40)}`,
    sql: (n) => `insert into public.reports (message_id) values ('${message(n)}')`,
    allowed: 10,
    refusal: "PT429",
  },
  {
    what: "requested words in a day",
    sql: (n) => `select public.ask_for_word('zorbl${String.fromCharCode(97 + n)}q')`,
    allowed: 10,
    refusal: "PT429",
  },
  {
    what: "contact messages of a sender in an hour",
    sql: (n) =>
      `insert into public.contact_messages (name, email, subject, message) values ('A', 'a${n}@b.example', 'S', 'M')`,
    allowed: 10,
    refusal: "PT429",
  },
  {
    what: "contact messages for one reply address in an hour",
    person: (n) => crowd[n] as string,
    sql: (n) =>
      `insert into public.contact_messages (name, email, subject, message) values ('A', 'same@b.example', 'S', 'M${n}')`,
    allowed: 3,
    refusal: "PT429",
  },
  {
    what: "pictures of a user",
    sql: () =>
      `insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${Ana.id}/${randomUUID()}.png')`,
    allowed: 4,
    refusal: "42501",
  },
  {
    what: "pictures that a user sends in an hour, deleted ones included",
    prepare: `insert into private.paces (user_id, act, done_at) values ('${crowd[1]}', 'avatar', array_fill(now(), array[18]))`,
    person: () => crowd[1] as string,
    sql: () =>
      `insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${crowd[1]}/${randomUUID()}.png')`,
    allowed: 2,
    refusal: "PT429",
  },
  {
    what: "evidence pictures of an editor",
    prepare: `insert into storage.objects (bucket_id, name) select 'change-uploads', '${Eve.id}/old-' || n || '.png' from generate_series(1, 10) as n`,
    person: () => Eve.id,
    sql: (n) =>
      `insert into storage.objects (bucket_id, name) values ('change-uploads', '${Eve.id}/${n}.png')`,
    allowed: 10,
    refusal: "42501",
  },
  {
    what: "mails of a child to parents in a day",
    prepare: `update public.age_bands set band = 'under-13' where user_id = '${crowd[0]}'`,
    person: () => crowd[0] as string,
    sql: (n) => `select public.ask_parent('parent${n}@b.example')`,
    allowed: 3,
    refusal: "PT429",
  },
];

describe("a limit holds against parallel requests", () => {
  test.each(LIMITS)("$what: $allowed of 20", async ({ prepare = "", allowed, refusal, ...act }) => {
    await database.owner.query(prepare);
    const counts = tally((await inParallel(act)).map((answer) => (answer === refusal ? answer : "allowed")));
    expect(counts).toEqual({ allowed, [refusal]: TIMES - allowed });
  });

  test("and parallel refusals of one user's texts make one report", async () => {
    await Promise.all(
      Array.from({ length: TIMES }, async () => {
        const client = new Client({ connectionString: database.url });
        await client.connect();
        await client.query("select private.note_refusal($1, 'Links are not allowed here')", [Ben.id]);
        await client.end();
      }),
    );
    const { rows } = await database.owner.query(
      "select evidence from public.reports where kind = 'refusals'",
    );
    expect(rows).toEqual([{ evidence: "20 × Links are not allowed here" }]);
  });
});

test("a picture that is approved while its owner turns out to be a child is not shown", async () => {
  const person = crowd.at(-2);
  await database.owner.query(
    `update public.profiles set listed = false where id = '${person}';
     insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${person}/me.png')`,
  );
  const approving = await openSession(Eve.id);
  await approving.query("update storage.objects set bucket_id = 'avatars' where starts_with(name, $1)", [
    person,
  ]);
  const correct = "select public.set_age_band($1, 'under-13')";
  expect(await overtake(approving, await openSession(Eve.id), correct, [person])).toBe("done");
  const { rows } = await database.owner.query(
    `select avatar_url, exists (select from storage.objects where starts_with(name, id::text)) as kept
     from public.profiles where id = $1`,
    [person],
  );
  expect(rows).toEqual([{ avatar_url: null, kept: false }]);
});

test("a user who turns out to be a child while they choose to be listed, or a picture, is hidden", async () => {
  const person = crowd.at(-3) as string;
  const address = `/storage/v1/object/public/avatars/${person}/me.png`;
  await database.owner.query(
    `update public.profiles set listed = false where id = '${person}';
     insert into storage.objects (bucket_id, name) values ('avatars', '${person}/me.png')`,
  );
  const choosing = await openSession(person);
  await choosing.query("update public.profiles set listed = true, avatar_url = $2 where id = $1", [
    person,
    address,
  ]);
  const correct = "select public.set_age_band($1, 'under-13')";
  expect(await overtake(choosing, await openSession(Eve.id), correct, [person])).toBe("done");
  const { rows } = await database.owner.query(
    "select listed, avatar_url from public.profiles where id = $1",
    [person],
  );
  expect(rows).toEqual([{ listed: false, avatar_url: null }]);
});

test("a child who asks the same parent twice at the same time sends one mail", async () => {
  const child = crowd.at(-12) as string;
  await database.owner.query("update public.age_bands set band = 'under-13' where user_id = $1", [child]);
  const ask = "select public.ask_parent('same@c.example')";
  const first = await openSession(child);
  await first.query(ask);
  expect(await overtake(first, await openSession(child), ask, [])).toBe("done");
  const { rows } = await database.owner.query(
    "select from backend.mail_queue where message ->> 'to' = 'same@c.example'",
  );
  expect(rows).toHaveLength(1);
});

describe("while a child asks another parent, the parent asked before", () => {
  const askParent = async (child: string, email: string) => {
    const session = await openSession(child);
    await session.query("select public.ask_parent($1)", [email]);
    return session;
  };
  const mailsTo = async (email: string): Promise<{ key: string }[]> => {
    const { rows } = await database.owner.query(
      "select substring(message ->> 'text' from '#key=(\\w+)') as key from backend.mail_queue where message ->> 'to' = $1",
      [email],
    );
    return rows;
  };
  /** A child of whom a parent was asked; the session in which the child asks another one. */
  const askTwice = async (child: string, email: string) => {
    await database.owner.query("update public.age_bands set band = 'under-13' where user_id = $1", [child]);
    const first = await askParent(child, email);
    await first.query("commit");
    await first.end();
    return await askParent(child, `other.${email}`);
  };

  test("can no longer allow anything", async () => {
    const child = crowd[TIMES] as string;
    const asking = await askTwice(child, "one@c.example");
    const [{ key } = { key: "" }] = await mailsTo("one@c.example");
    const allow = "select public.decide_as_parent($1, 'allow')";
    expect(await overtake(asking, await openSession(Ben.id), allow, [key])).toBe("PT404");
    const { rows } = await database.owner.query(
      "select state, parent_email from private.parental_consents where child_id = $1",
      [child],
    );
    expect(rows).toEqual([{ state: "asked", parent_email: "other.one@c.example" }]);
  });

  test("is not sent another link", async () => {
    const asking = await askTwice(crowd[TIMES + 1] as string, "two@c.example");
    const renew = "select public.renew_parent_link($1)";
    expect(await overtake(asking, await openSession(Ben.id), renew, ["two@c.example"])).toBe("done");
    expect(await mailsTo("two@c.example")).toHaveLength(1);
  });
});

test("a parent of two children gets new links while one of them asks again", async () => {
  const children = crowd.slice(TIMES + 2, TIMES + 4);
  await database.owner.query(
    `insert into private.parental_consents (child_id, state, parent_email)
     select unnest('{${children}}'::uuid[]), 'asked', 'three@c.example'`,
  );
  const asking = await openOwnerSession();
  // What asking locks first, and what it does then.
  await asking.query("select from private.parental_consents where child_id = $1 for update", [children[1]]);
  const ask = `select private.mail_parent('${children[1]}', 'asked')`;
  const renew = "select public.renew_parent_link($1)";
  const answer = overtake(asking, await openSession(Ben.id), renew, ["three@c.example"], ask);
  expect(await answer).toBe("done");
  const { rows } = await database.owner.query(
    "select count(*)::int from private.parent_links where child_id = any ($1)",
    [children],
  );
  expect(rows).toEqual([{ count: 3 }]);
});

test("of parallel silences and bans, the one that ends last is in force", async () => {
  const [person] = crowd.slice(-1);
  for (const kind of ["silence", "ban"]) {
    // The longest in the middle, so that it is neither the first nor the last.
    const days = (n: number) => (n * 7 + 9) % TIMES;
    const sql = (n: number) =>
      `insert into public.sanctions (user_id, kind, code, reason, until)
       values ('${person}', '${kind}', 'other', 'x', now() + interval '${days(n) + 1} days')`;
    expect(tally(await inParallel({ person: () => Eve.id, sql }))).toEqual({ done: TIMES });
  }
  const { rows } = await database.owner.query(
    `select round(extract(epoch from chat_silences.until - now()) / 86400)::int as silence,
       round(extract(epoch from banned_until - now()) / 86400)::int as ban
     from auth.users join public.chat_silences on user_id = users.id where users.id = '${person}'`,
  );
  expect(rows).toEqual([{ silence: TIMES, ban: TIMES }]);
});

test.each([
  ["is lifted", "update public.sanctions set lifted_at = now() where user_id = $1"],
  ["is deleted from its table", "delete from public.chat_silences where user_id = $1"],
])("a silence that %s while a shorter one begins does not come back", async (_, end) => {
  const person = crowd.at(-4) as string;
  await database.owner.query(
    `delete from public.sanctions where user_id = '${person}';
     insert into public.sanctions (user_id, kind, code, reason, until)
     values ('${person}', 'silence', 'other', 'long', now() + interval '30 days')`,
  );
  const ending = await openSession(Eve.id);
  await ending.query(end, [person]);
  const begin = `insert into public.sanctions (user_id, kind, code, reason, until)
    values ($1, 'silence', 'other', 'short', now() + interval '1 day')`;
  expect(await overtake(ending, await openSession(Eve.id), begin, [person])).toBe("done");
  const { rows } = await database.owner.query("select reason from public.chat_silences where user_id = $1", [
    person,
  ]);
  expect(rows).toEqual([{ reason: "short" }]);
});

test("an appeal is granted while another moderator lifts its sanction", async () => {
  const [person, moderator] = crowd.slice(-8) as [string, string];
  const { rows } = await database.owner.query(
    `with given as (
       insert into public.sanctions (user_id, kind, code, reason) values ($1, 'picture', 'other', 'x') returning id
     ), granted as (insert into public.user_roles (user_id, role) values ($2, 'moderator'))
     select id from given`,
    [person, moderator],
  );
  const appeal = "insert into public.appeals (sanction_id, message) values ($1, 'Sorry')";
  await database.owner.query(appeal, [rows[0].id]);
  const first = await openOwnerSession();
  // Holds up the lifting once it has its sanction, for which it names who lifts it.
  await first.query("select from public.profiles where id = $1 for update", [Eve.id]);
  const lift = "update public.sanctions set lifted_at = now() where id = $1";
  const lifting = await beginWaiting(await openSession(Eve.id), lift, [rows[0].id]);
  const grant = "update public.appeals set granted = true where sanction_id = $1";
  // It was answered by the lifting.
  expect(await overtake(first, await openSession(moderator), grant, [rows[0].id])).toBe("PT403");
  expect(await lifting.outcome).toBe("done");
});

test("an appeal that is sent while its sanction is lifted is refused, and none stays open", async () => {
  const person = crowd.at(-11) as string;
  const { rows } = await database.owner.query(
    "insert into public.sanctions (user_id, kind, code, reason) values ($1, 'picture', 'other', 'x') returning id",
    [person],
  );
  const lifting = await openSession(Eve.id);
  await lifting.query("update public.sanctions set lifted_at = now() where id = $1", [rows[0].id]);
  const appeal = "insert into public.appeals (sanction_id, message) values ($1, 'Sorry')";
  expect(await overtake(lifting, await openSession(person), appeal, [rows[0].id])).toBe("PT409");
});

test.each([
  [
    "another user",
    "update public.profiles set username = 'Swift_Otter701' where id = $1",
    crowd.at(-9) as string,
  ],
  ["an editor", "insert into public.editor_names (user_id, name) values ($1, 'SwiftOtter701')", Eve.id],
])("a name is refused to %s while somebody takes one that looks the same", async (_, choose, person) => {
  const first = await openSession(crowd.at(-10) as string);
  const rename = "update public.profiles set username = 'SwiftOtter701' where id = $1";
  await first.query(rename, [crowd.at(-10)]);
  expect(await overtake(first, await openSession(person), choose, [person])).toBe("23514");
});

test("two users who mention each other are renamed at the same time", async () => {
  const [one, other] = crowd.slice(-6) as [string, string];
  const [ofOne, ofOther] = [message(901), message(902)];
  await database.owner.query(
    `insert into public.chat_messages (id, user_id, message, mentions) values
       ('${ofOne}', '${one}', 'hi', '{${other}}'), ('${ofOther}', '${other}', 'hi', '{${one}}')`,
  );
  const first = await openOwnerSession();
  // What the first rename locks first.
  await first.query("select from public.chat_messages where id = $1 for update", [ofOne]);
  const rename = "select private.rename_person($1, $2)";
  const meanwhile = `select private.rename_person('${one}', 'BoldCrab901')`;
  const answer = overtake(first, await openOwnerSession(), rename, [other, "BoldCrab902"], meanwhile);
  expect(await answer).toBe("done");
  const { rows } = await database.owner.query(
    "select username from public.chat_messages where id in ($1, $2) order by id",
    [ofOne, ofOther],
  );
  expect(rows).toEqual([{ username: "BoldCrab901" }, { username: "BoldCrab902" }]);
});

describe("what happens once happens once, however many ask at the same time", () => {
  const byEve = { person: () => Eve.id };
  const change = (value: string) =>
    database.owner.query(`update public.items set current_value = '${value}' where id = ${item}`);

  test("an undo of a value change", async () => {
    await change("641M");
    const { rows } = await database.owner.query("select max(id) as id from public.item_value_changes");
    const sql = () => `select 'undone' from public.undo_value_change(${rows[0].id})`;
    expect(tally(await inParallel({ ...byEve, sql }))).toEqual({ undone: 1, PT409: TIMES - 1 });
  });

  test("an approval by a second person, and taking back what it published", async () => {
    const { rows } = await database.owner.query(
      `insert into public.value_proposals (item_id, field, old_value, new_value, reason_code, state, proposed_by)
       select id, 'current_value', current_value, '2B', 'other', 'waiting', '${Ben.id}' from public.items where id = ${item}
       returning id`,
    );
    const approve = () => `select outcome from public.approve_proposals('{${rows[0].id}}')`;
    expect(tally(await inParallel({ ...byEve, sql: approve }))).toEqual({ published: TIMES });
    const takeBack = () =>
      `select public.roll_back_value_set((select set_id from public.value_proposals where id = ${rows[0].id}))`;
    expect(tally(await inParallel({ ...byEve, sql: takeBack }))).toEqual({ 1: 1, PT409: TIMES - 1 });
  });

  test("the publication of a set", async () => {
    const { rows } = await database.owner.query(
      `with made as (insert into public.value_sets (name) values ('Update day') returning id)
       insert into public.value_proposals (set_id, item_id, field, old_value, new_value, reason_code, state, proposed_by)
       select made.id, items.id, 'current_value', current_value, '641M', 'other', 'draft', '${Eve.id}'
       from made, public.items where items.id = ${item} returning set_id`,
    );
    const sql = () => `select public.publish_value_set('${rows[0].set_id}')`;
    expect(tally(await inParallel({ ...byEve, sql }))).toEqual({ 0: 1, PT409: TIMES - 1 });
  });

  test("the return of a deleted item with its ledger", async () => {
    const count = async () =>
      (await database.owner.query("select count(*)::int from public.item_value_changes")).rows[0].count;
    const before = await count();
    const { rows } = await database.owner.query(`delete from public.items where id = ${item} returning id`);
    const sql = () => `select 'back' from public.restore_item('${rows[0].id}')`;
    expect(tally(await inParallel({ ...byEve, sql }))).toEqual({ back: 1, PT404: TIMES - 1 });
    expect(await count()).toBe(before);
  });

  test("an answer to a rating, an age group, an appeal", async () => {
    const { rows } = await database.owner.query(
      `insert into public.user_ratings (rater_id, rated_user_id, rating) values ('${crowd[50]}', '${Ben.id}', 5) returning id`,
    );
    const byBen = { person: () => Ben.id };
    const answer = () => `select public.answer_rating('${rows[0].id}', 'hello')`;
    expect(tally(await inParallel({ ...byBen, sql: answer }))).toMatchObject({ PT404: TIMES - 1 });
    await database.owner.query(`delete from public.age_bands where user_id = '${Ben.id}'`);
    const choose = () => "select public.choose_age_band('16-17')";
    expect(tally(await inParallel({ ...byBen, sql: choose }))).toEqual({ free: 1, PT409: TIMES - 1 });
    const sanctioned = await database.owner.query(
      `insert into public.sanctions (user_id, kind, code, reason) values ('${Ben.id}', 'picture', 'other', 'x') returning id`,
    );
    const appeal = () =>
      `insert into public.appeals (sanction_id, message) values ('${sanctioned.rows[0].id}', 'why')`;
    expect(tally(await inParallel({ ...byBen, sql: appeal }))).toEqual({ done: 1, 23505: TIMES - 1 });
  });
});

beforeAll(async () => {
  // Ratings and reactions need people who may be rated and may react.
  await database.owner.query("update public.profiles set listed = true");
});

test("of two first ratings of a trader at once, the second changes the first", async () => {
  const rate = `insert into public.user_ratings (rated_user_id, rating) values ($1, $2)
    on conflict (rater_id, rated_user_id) do update set rating = excluded.rating`;
  const first = await openSession(Ben.id);
  await first.query(rate, [Eve.id, 1]);
  expect(await overtake(first, await openSession(Ben.id), rate, [Eve.id, 5])).toBe("done");
  const { rows } = await database.owner.query(
    "select rating from public.user_ratings where rater_id = $1 and rated_user_id = $2",
    [Ben.id, Eve.id],
  );
  expect(rows).toEqual([{ rating: 5 }]);
});

test("the digits of two users who write at once are joined", async () => {
  const write = "insert into public.chat_messages (message) values ($1)";
  await database.owner.query("delete from private.paces; delete from public.chat_messages");
  await database.owner.query("insert into public.chat_messages (user_id, message) values ($1, '555')", [
    Eve.id,
  ]);
  const first = await openSession(Ana.id);
  await first.query(write, ["10"]);
  expect(await overtake(first, await openSession(Ben.id), write, ["24"])).toBe("23514");
});
