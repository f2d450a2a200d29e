import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { sessionsOf } from "./sessions.ts";

const { Ana, Ben, Eve } = ACCOUNTS;
const [person, other] = ["c1000000-0000-4000-8000-000000000001", "c1000000-0000-4000-8000-000000000002"];
const message = "c2000000-0000-4000-8000-000000000001";
const [early, late] = ["c3000000-0000-4000-8000-000000000001", "c3000000-0000-4000-8000-000000000002"];
const picture = `${person}/me.png`;

const database = ownDatabase(`update private.settings set site_url = 'https://values.example'`);
const { openSession, openOwnerSession, beginWaiting, overtake } = sessionsOf(database);

/** Makes the account of `person` anew, and what the test needs of it. */
async function prepare(sql: string): Promise<void> {
  await database.owner.query(
    `delete from auth.users where id in ('${person}', '${other}');
     insert into auth.users (id) values ('${person}'), ('${other}');
     update public.profiles set listed = true, username = 'BrightFalcon500' where id = '${person}';
     ${sql}`,
  );
}

/** What holds the first of two statements up, once it has locked what the second one needs. */
async function holdUp(sql: string): Promise<Client> {
  const client = await openOwnerSession();
  await client.query(sql);
  return client;
}

async function end(client: Client, how: "commit" | "rollback"): Promise<void> {
  await client.query(how);
  await client.end();
}

const REPORT = "insert into public.reports (id, kind, subject_id, reporter_id) values";
const SANCTION = `insert into public.sanctions (user_id, kind, code, reason, subject_id, report_id)
  values ('${person}', $1, 'other', 'x', $2, $3)`;
const LIFT = "update public.sanctions set lifted_at = now() where user_id = $1";
const FORCE_RENAME = `insert into public.sanctions (user_id, kind, code, reason) values ('${person}', 'rename', 'other', 'x')`;
const REMOVE_ACCOUNT = "delete from auth.users where id = $1";
const SHOW_PICTURE = `insert into storage.objects (bucket_id, name) values ('avatars', '${picture}');
  update public.profiles set avatar_url = '/storage/v1/object/public/avatars/${picture}' where id = '${person}'`;
const stored = async () => (await database.owner.query("select bucket_id, name from storage.objects")).rows;

test("an author deletes a message while a moderator answers a report of it", async () => {
  await prepare(`insert into public.chat_messages (id, user_id, message) values ('${message}', '${person}', 'hi');
    ${REPORT} ('${early}', 'message', '${message}', '${Ana.id}')`);
  const first = await holdUp(`select from public.chat_messages where id = '${message}' for key share`);
  const removal = "delete from public.chat_messages where id = $1";
  const removing = await beginWaiting(await openSession(person), removal, [message]);
  const values = ["message", message, early];
  const sanctioning = await beginWaiting(await openSession(Eve.id), SANCTION, values);
  await end(first, "commit");
  expect([await removing.outcome, await sanctioning.outcome]).toEqual(["done", "done"]);
});

test("a moderator dismisses several reports while another one answers them", async () => {
  await prepare(
    `${REPORT} ('${early}', 'name', '${person}', '${Ana.id}'), ('${late}', 'name', '${person}', '${Ben.id}')`,
  );
  const first = await holdUp(`select from public.profiles where id = '${person}' for no key update`);
  const sanctioning = await beginWaiting(await openSession(Eve.id), SANCTION, ["picture", null, late]);
  const dismissal =
    "update public.reports set resolved_at = now() where id = any ($1) and resolved_at is null";
  const dismissing = await beginWaiting(await openSession(Eve.id), dismissal, [[early, late]]);
  await end(first, "commit");
  expect([await sanctioning.outcome, await dismissing.outcome]).toEqual(["done", "done"]);
  const { rows } = await database.owner.query("select distinct outcome from public.reports");
  expect(rows).toEqual([{ outcome: "acted" }]);
});

test("a user chooses another name while a moderator gives back the old one", async () => {
  await prepare(FORCE_RENAME);
  // The new name is being given up by its owner.
  const first = await holdUp(`update public.profiles set username = 'QuietCrab77' where id = '${other}'`);
  const rename = "update public.profiles set username = 'QuietCrab77' where id = $1";
  const renaming = await beginWaiting(await openSession(person), rename, [person]);
  const lifting = await beginWaiting(await openSession(Eve.id), LIFT, [person]);
  await end(first, "rollback");
  expect([await renaming.outcome, await lifting.outcome]).toEqual(["done", "done"]);
});

test("an account is deleted while a moderator gives back its name", async () => {
  await prepare(FORCE_RENAME);
  const first = await holdUp(`select from public.sanctions where user_id = '${person}' for key share`);
  const removing = await beginWaiting(await openOwnerSession(), REMOVE_ACCOUNT, [person]);
  const lifting = await beginWaiting(await openSession(Eve.id), LIFT, [person]);
  await end(first, "commit");
  expect([await removing.outcome, await lifting.outcome]).toEqual(["done", "done"]);
});

test("a user replaces a picture while it is deleted", async () => {
  await prepare(SHOW_PICTURE);
  const first = await holdUp(`update public.profiles set username = 'QuietCrab77' where id = '${other}'`);
  const change = "update public.profiles set username = 'QuietCrab77', avatar_url = null where id = $1";
  const replacing = await beginWaiting(await openSession(person), change, [person]);
  const removal = "delete from storage.objects where name = $1";
  const removing = await openOwnerSession();
  await removing.query("set local storage.allow_delete_query = 'true'");
  const outcome = await beginWaiting(removing, removal, [picture]);
  await end(first, "rollback");
  expect([await replacing.outcome, await outcome.outcome]).toEqual(["done", "done"]);
  expect(await stored()).toEqual([]);
});

test("an account is deleted while its picture is approved, and no picture is left", async () => {
  await prepare(`insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${picture}');
    insert into public.chat_messages (id, user_id, message) values ('${message}', '${person}', 'hi');
    insert into public.chat_reactions (message_id, emoji, user_id) values ('${message}', '👍', '${Ana.id}')`);
  // This goes with the message, once the profile is locked.
  const first = await holdUp("select from public.chat_reactions for key share");
  const removing = await beginWaiting(await openOwnerSession(), REMOVE_ACCOUNT, [person]);
  const approval = "update storage.objects set bucket_id = 'avatars' where name = $1";
  const approving = await beginWaiting(await openSession(Eve.id), approval, [picture]);
  await end(first, "commit");
  expect([await removing.outcome, await approving.outcome]).toEqual(["done", "done"]);
  expect(await stored()).toEqual([]);
});

test("a picture that is replaced while somebody reports it cannot be reported", async () => {
  await prepare(SHOW_PICTURE);
  const replacing = await openSession(person);
  await replacing.query("update public.profiles set avatar_url = null where id = $1", [person]);
  const report = "insert into public.reports (kind, subject_id) values ('picture', $1)";
  expect(await overtake(replacing, await openSession(Ana.id), report, [person])).toBe("22023");
});

test("a child asks a parent again while the address of the first one is forgotten", async () => {
  await prepare(`insert into public.age_bands (user_id, band) values ('${person}', 'under-13')
      on conflict (user_id) do update set band = excluded.band;
    insert into private.parental_consents (child_id, state, parent_email, changed_at)
      values ('${person}', 'asked', 'one@c.example', now() - interval '15 days');
    insert into private.parent_links (token_hash, child_id, expires_at) values ('x', '${person}', now() - interval '8 days')`);
  const first = await holdUp(
    `select from private.parental_consents where child_id = '${person}' for key share`,
  );
  const forgetting = await beginWaiting(await openOwnerSession(), "select private.forget_parents()", []);
  const ask = "select public.ask_parent($1)";
  const asking = await beginWaiting(await openSession(person), ask, ["two@c.example"]);
  await end(first, "commit");
  expect([await asking.outcome, await forgetting.outcome]).toEqual(["done", "done"]);
  const { rows } = await database.owner.query("select parent_email from private.parental_consents");
  expect(rows).toEqual([{ parent_email: "two@c.example" }]);
});

const CHILD = `insert into public.age_bands (user_id, band) values ('${person}', 'under-13')
  on conflict (user_id) do update set band = excluded.band;`;

test("an account is deleted while a parent decides about it", async () => {
  await prepare(`${CHILD}
    insert into private.parental_consents (child_id, state, parent_email) values ('${person}', 'asked', 'one@c.example');
    insert into private.parent_links (token_hash, child_id, expires_at)
      values (sha256('key'), '${person}', now() + interval '1 day');
    insert into public.chat_messages (id, user_id, message) values ('${message}', '${person}', 'hi')`);
  const first = await holdUp(`select from public.chat_messages where id = '${message}' for key share`);
  const removing = await beginWaiting(await openOwnerSession(), REMOVE_ACCOUNT, [person]);
  const decision = "select public.decide_as_parent('key', $1)";
  const deciding = await beginWaiting(await openOwnerSession(), decision, ["refuse"]);
  await end(first, "commit");
  // By then, the link is gone.
  expect([await removing.outcome, await deciding.outcome]).toEqual(["done", "PT404"]);
});

test("an account is deleted while somebody edits a rating of it", async () => {
  const rate = "insert into public.user_ratings (rated_user_id, rating) values ($1, 5)";
  await prepare(`insert into public.user_ratings (rater_id, rated_user_id, rating) values ('${Ana.id}', '${person}', 1);
    insert into private.daily_acts (user_id, act, done) values ('${Ana.id}', 'rate', '{}')
      on conflict (user_id, act) do update set done = excluded.done`);
  const first = await holdUp(`select from private.daily_acts where user_id = '${Ana.id}' for update`);
  const upsert = `${rate} on conflict (rater_id, rated_user_id) do update set rating = excluded.rating`;
  const rating = await beginWaiting(await openSession(Ana.id), upsert, [person]);
  const removing = await beginWaiting(await openOwnerSession(), REMOVE_ACCOUNT, [person]);
  await end(first, "commit");
  expect([await rating.outcome, await removing.outcome]).toEqual(["done", "done"]);
});

test("an account is deleted while a moderator corrects its age group", async () => {
  const upload = `insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${picture}')`;
  await prepare(`${CHILD} update public.age_bands set band = '13-15' where user_id = '${person}'; ${upload}`);
  const first = await holdUp(`select from storage.objects where name = '${picture}' for key share`);
  const correct = "select public.set_age_band($1, 'under-13')";
  const correcting = await beginWaiting(await openSession(Eve.id), correct, [person]);
  const removing = await beginWaiting(await openOwnerSession(), REMOVE_ACCOUNT, [person]);
  await end(first, "commit");
  expect([await correcting.outcome, await removing.outcome]).toEqual(["done", "done"]);
});
