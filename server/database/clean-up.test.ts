import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { cleanUp } from "./clean-up.ts";

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  owner = new Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** Lets the server's clean-up run until `query` has these rows. */
async function cleanUpTo(query: string, rows: unknown[]): Promise<void> {
  const stop = cleanUp(database.url, (line) => expect.fail(line));
  await expect.poll(async () => (await owner.query(query)).rows).toEqual(rows);
  await stop();
}

test("what was deleted from the chat a day ago is gone for good when the server starts, and what is younger stays", async () => {
  await owner.query(
    `insert into public.deleted_chat_messages (id, user_id, username, message, created_at, deleted_at)
     select gen_random_uuid(), $1, 'Ana', age, now() - interval '2 days', now() - age::interval
     from unnest('{25 hours,24 hours,23 hours}'::text[]) as age`,
    [ACCOUNTS.Ana.id],
  );
  await cleanUpTo("select message from public.deleted_chat_messages", [{ message: "23 hours" }]);
});

test("a picture that somebody had locked when its account was deleted is gone after the next clean-up", async () => {
  const names = [ACCOUNTS.Ana, ACCOUNTS.Ben].map(({ id }) => `${id}/face.png`);
  await owner.query(
    "insert into storage.objects (bucket_id, name) select 'avatar-uploads', name from unnest($1::text[]) as name",
    [names],
  );
  const moderator = new Client({ connectionString: database.url });
  await moderator.connect();
  await moderator.query("begin");
  await moderator.query("select from storage.objects where name = $1 for update", [names[0]]);
  await owner.query("delete from auth.users where id = $1", [ACCOUNTS.Ana.id]);
  await moderator.query("rollback");
  await moderator.end();
  const left = "select name from storage.objects where bucket_id = 'avatar-uploads' order by name";
  expect((await owner.query(left)).rowCount).toBe(2);
  await cleanUpTo(left, [{ name: names[1] }]);
});

test("an account is deleted while the clean-up waits for its turn, and neither fails", async () => {
  await owner.query(
    `insert into public.deleted_chat_messages (id, user_id, username, message, created_at, deleted_at)
     values (gen_random_uuid(), $1, 'Ben', 'hi', now(), now() - interval '25 hours')`,
    [ACCOUNTS.Ben.id],
  );
  const remover = new Client({ connectionString: database.url });
  await remover.connect();
  await remover.query("begin; set local deadlock_timeout = '10ms'; select private.take_turn()");
  const stop = cleanUp(database.url, (line) => expect.fail(line));
  const waits =
    "select from pg_stat_activity where application_name = 'clean-up' and cardinality(pg_blocking_pids(pid)) > 0";
  await expect.poll(async () => (await owner.query(waits)).rowCount).toBe(1);
  await remover.query("delete from auth.users where id = $1", [ACCOUNTS.Ben.id]);
  await remover.query("commit");
  await remover.end();
  await stop();
});

test("what cannot be forgotten is reported, and keeps nothing else from being forgotten", async () => {
  await owner.query(`create function private.forget_at_first() returns void language plpgsql
    as $$ begin raise exception 'The first cannot be forgotten'; end $$`);
  await owner.query("create table private.met (name text)");
  await owner.query("insert into private.met values ('Cleo')");
  await owner.query(`create function private.forget_whom_we_met() returns void language sql
    as 'delete from private.met'`);
  const lines: string[] = [];
  const stop = cleanUp(database.url, (line) => lines.push(line));
  await expect.poll(async () => (await owner.query("select from private.met")).rowCount).toBe(0);
  await expect.poll(() => lines).toEqual([expect.stringContaining("The first cannot be forgotten")]);
  await stop();
});
