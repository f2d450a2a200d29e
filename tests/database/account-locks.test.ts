import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { sessionsOf } from "./sessions.ts";

const { Ana, Eve } = ACCOUNTS;
const [person, other] = ["c1000000-0000-4000-8000-000000000001", "c1000000-0000-4000-8000-000000000002"];
const message = "c2000000-0000-4000-8000-000000000001";

const database = ownDatabase(`update private.settings set site_url = 'https://values.example'`);
const { openSession, openOwnerSession, begin } = sessionsOf(database);

type Begun = Awaited<ReturnType<typeof begin>>;

const given = `md5('${Ana.id}/${person}')::uuid`;
const RATED = `insert into public.user_ratings (id, rater_id, rated_user_id, rating)
  values (${given}, '${Ana.id}', '${person}', 1)`;
const WRITTEN = `insert into public.chat_messages (id, user_id, message) values ('${message}', '${person}', 'hi')`;
const FORGOTTEN = `insert into public.chat_originals (message_id, user_id, message, created_at)
    values ('${message}', '${person}', 'hi', now() - interval '25 hours');
  insert into public.deleted_chat_messages (id, user_id, username, message, created_at, deleted_at)
    values ('${message}', '${person}', 'A', 'hi', now(), now() - interval '25 hours')`;
const ASKED = `insert into public.age_bands (user_id, band) values ('${person}', 'under-13')
    on conflict (user_id) do update set band = excluded.band;
  insert into private.parental_consents (child_id, state, parent_email, changed_at)
  values ('${person}', 'asked', 'one@c.example', now() - interval '15 days')`;
const asWriter = () => openSession(person);
const asRater = () => openSession(Ana.id);
const asModerator = () => openSession(Eve.id);

/** What somebody does, after which preparation, and a row that both the act and the deletion of the account lock. */
const ACTS: [what: string, sql: string, who: () => Promise<Client>, prepared: string, shared: string][] = [
  [
    "writes",
    "insert into public.chat_messages (message) values ('hi')",
    asWriter,
    "",
    "private.paces where user_id",
  ],
  [
    "asks a parent",
    "select public.ask_parent('two@c.example')",
    asWriter,
    ASKED,
    "private.daily_acts where user_id",
  ],
  [
    "reports",
    `insert into public.reports (kind, subject_id) values ('name', '${other}')`,
    asWriter,
    "",
    "private.daily_acts where user_id",
  ],
  [
    "answers a rating",
    `select public.answer_rating(${given}, 'hi')`,
    asWriter,
    RATED,
    "public.user_ratings where rated_user_id",
  ],
  [
    "has a rating changed",
    `update public.user_ratings set rating = 2 where id = ${given}`,
    asRater,
    RATED,
    "public.user_ratings where rated_user_id",
  ],
  [
    "has a rating deleted",
    `delete from public.user_ratings where id = ${given}`,
    asRater,
    RATED,
    "public.user_ratings where rated_user_id",
  ],
  [
    "has a message deleted",
    `delete from public.chat_messages where id = '${message}'`,
    asModerator,
    WRITTEN,
    "public.chat_messages where user_id",
  ],
  [
    "has a message reported",
    `insert into public.reports (kind, subject_id) values ('message', '${message}')`,
    asRater,
    WRITTEN,
    "public.chat_messages where user_id",
  ],
  [
    "has a deleted message forgotten",
    "select private.forget_deleted_messages()",
    openOwnerSession,
    FORGOTTEN,
    "public.deleted_chat_messages where user_id",
  ],
  [
    "has a parent sent a new link",
    "select public.renew_parent_link('one@c.example')",
    openOwnerSession,
    ASKED,
    "private.parental_consents where child_id",
  ],
  [
    "has a parent forgotten",
    "select private.forget_parents()",
    openOwnerSession,
    ASKED,
    "private.parental_consents where child_id",
  ],
  [
    "is hidden as a child",
    `select private.hide_child('${person}', true)`,
    openOwnerSession,
    WRITTEN,
    "public.profiles where id",
  ],
];

/** Makes the account of `person` anew, and what the act needs of it. */
async function prepare(sql: string): Promise<void> {
  await database.owner.query(
    `delete from auth.users where id in ('${person}', '${other}');
     insert into auth.users (id) values ('${person}'), ('${other}');
     update public.profiles set listed = true where id in ('${person}', '${other}');
     insert into private.daily_acts (user_id, act, done)
       select '${person}', act, '{}' from unnest('{ask,ask_parent,report}'::text[]) as act;
     insert into private.paces (user_id, act, done_at) values ('${person}', 'chat message', '{}');
     ${sql}`,
  );
}

/** Begins both while somebody has locked a row of the account; resolves with what became of them. */
async function race(
  row: string,
  first: () => Promise<Begun>,
  second: () => Promise<Begun>,
): Promise<string[]> {
  const holder = await openOwnerSession();
  await holder.query(`select from ${row} = '${person}' for update`);
  const both = [await first(), await second()];
  expect(both[0]?.waited).toBe(true);
  await holder.query("commit");
  await holder.end();
  return await Promise.all(both.map(({ outcome }) => outcome));
}

test.each(ACTS)("whoever is being deleted %s, in both orders", async (_what, sql, who, prepared, shared) => {
  const act = async () => begin(await who(), sql);
  const remove = async () => begin(await openOwnerSession(), `delete from auth.users where id = '${person}'`);
  await prepare(prepared);
  const [removed, acted] = await race("private.daily_acts where act = 'ask' and user_id", remove, act);
  expect(removed).toBe("done");
  expect(acted).not.toBe("40P01");
  await prepare(prepared);
  expect(await race(shared, act, remove)).toEqual(["done", "done"]);
});
