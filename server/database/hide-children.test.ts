import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { hideChildren } from "./hide-children.ts";

const { Ana, Ben, Eve } = ACCOUNTS;
const database = ownDatabase();

/** Their profiles; `xmin` is the transaction that wrote them. */
async function readProfiles() {
  const { rows } = await database.owner.query(
    "select username, listed, avatar_url, xmin from public.profiles where id = any ($1) order by id",
    [[Ana.id, Ben.id, Eve.id]],
  );
  return rows;
}

test("children who are exposed since the limit was raised, or from an earlier release, are hidden one by one", async () => {
  const { owner } = database;
  await owner.query("update public.age_bands set band = '13-15'");
  await owner.query("set session_replication_role = replica");
  await owner.query(
    "update public.profiles set avatar_url = '/storage/v1/object/public/avatars/' || id || '/me.png' where id = $1",
    [Eve.id],
  );
  await owner.query("set session_replication_role = origin");
  await owner.query("update public.profiles set listed = id = $1", [Ana.id]);
  // Ben chose his name, and a picture of his waits.
  await owner.query(
    "insert into private.daily_acts values ($1, 'rename', array[now() - interval '1 year'])",
    [Ben.id],
  );
  await owner.query("insert into storage.objects (bucket_id, name) values ('avatar-uploads', $1)", [
    `${Ben.id}/me.png`,
  ]);
  await owner.query("update private.settings set age_limit = 16");
  const exposed = async () => (await owner.query("select private.list_exposed_children() as id")).rows;
  expect(await exposed()).toHaveLength(3);

  const stop = hideChildren(database.url, (line) => expect.fail(line));
  await expect.poll(exposed).toEqual([]);
  await stop();
  const profiles = await readProfiles();
  for (const [index, { username }] of [Ana, Ben, Eve].entries()) {
    expect(profiles[index]).toMatchObject({ listed: false, avatar_url: null });
    expect(profiles[index].username).not.toBe(username);
  }
  expect(new Set(profiles.map(({ xmin }) => xmin)).size).toBe(3);
  expect((await owner.query("select from storage.objects")).rowCount).toBe(0);
});

test("children who are hidden already, and users who are no children, stay as they are", async () => {
  const { owner } = database;
  await owner.query("update private.settings set age_limit = 13");
  await owner.query("update public.profiles set listed = true where id = $1", [Ben.id]);
  // Hides Ana, who may then choose a name because a moderator requires one.
  await owner.query("update public.age_bands set band = 'under-13' where user_id = $1", [Ana.id]);
  await owner.query("update public.profiles set username = 'BoldCrab1' where id = $1", [Ana.id]);
  const before = await readProfiles();
  expect((await owner.query("select private.list_exposed_children()")).rows).toEqual([]);
  expect(await readProfiles()).toEqual(before);
});

test("a child who cannot be hidden is reported, and leaves no other exposed", async () => {
  const { owner } = database;
  await owner.query("update private.settings set age_limit = 13");
  await owner.query("update public.age_bands set band = '13-15'");
  await owner.query("update public.profiles set listed = true where id = any ($1)", [
    [Ana.id, Ben.id, Eve.id],
  ]);
  const found = await owner.query("select id from public.profiles where listed");
  expect(found.rowCount).toBe(3);
  await owner.query("update private.settings set age_limit = 16");
  const { rows } = await owner.query("select private.list_exposed_children() as id");
  const [stuck] = rows as [{ id: string }];
  await owner.query(`create function private.be_stuck() returns trigger language plpgsql
    as $$ begin raise exception 'This one is stuck'; end $$`);
  await owner.query(`create trigger a_stuck before update on public.profiles for each row
    when (old.id = '${stuck.id}') execute function private.be_stuck()`);
  const lines: string[] = [];
  const stop = hideChildren(database.url, (line) => lines.push(line));
  await expect.poll(() => lines).toEqual([expect.stringContaining("This one is stuck")]);
  const left = await owner.query("select private.list_exposed_children() as id");
  expect(left.rows).toEqual([stuck]);
  await stop();
});
