import type { Client } from "pg";
import { expect, test } from "vitest";
import { ACT_TABLES } from "#app/routes/admin/acts/describe-act.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, become, becomeOwner } from "#tests/helpers/people.ts";

const database = ownDatabase();
const { as } = database;

const { Ana, Ben, Eve } = ACCOUNTS;

/** The list of admin actions as Eve reads it, oldest first. */
async function acts(client: Client) {
  await become(client, "Eve");
  const { rows } = await client.query(
    "select admin_id, act, table_name, row_id, person_id, title, old, new from public.admin_acts order by id",
  );
  return rows;
}

test("migrations, the starting catalog and users' own changes are not logged as acts; role changes always are", async () => {
  await as("Ben", async (client) => {
    await client.query("insert into public.chat_messages (message) values ('hi')");
    await client.query("update public.profiles set listed = false where id = $1", [Ben.id]);
    await client.query("update public.items set name = 'Mine'");
    await client.query("delete from public.chat_messages");
    await become(client, "Eve");
    await client.query("insert into public.chat_messages (message) values ('taken back')");
    await client.query("delete from public.chat_messages");
    expect(await acts(client)).toMatchObject([
      { admin_id: null, act: "insert", table_name: "user_roles", row_id: Eve.id, new: { role: "admin" } },
    ]);
  });
});

test("an edit is logged with only the changed columns; one that changes nothing is not logged", async () => {
  await as("Eve", async (client) => {
    await client.query("update public.items set name = name where slug = 'kitsune'");
    await client.query(
      "update public.items set current_value = '700M', change_reason = 'up' where slug = 'kitsune'",
    );
    const kept = await acts(client);
    expect(kept).toHaveLength(2);
    expect(kept[1]).toMatchObject({ admin_id: Eve.id, act: "update", table_name: "items", person_id: null });
    expect(kept[1]).toMatchObject({
      title: "Kitsune",
      old: { current_value: "640M", previous_value: "660M" },
      new: { current_value: "700M", previous_value: "640M" },
    });
    // The trigger also updated the previous value.
    expect(Object.keys(kept[1].new)).toEqual(["current_value", "previous_value"]);
  });
});

test("inserted and deleted rows are logged in full, in every table that admins write", async () => {
  await as("Eve", async (client) => {
    for (const statement of [
      "insert into public.categories (slug, name) values ('new', 'New')",
      "insert into public.items (slug, name) values ('new', 'New')",
      "insert into public.page_configurations (page_name, visible_fields) values ('values', '{name}')",
      "insert into public.field_definitions (name, label) values ('custom_new', 'New')",
      "update public.ads set enabled = true where placement = 'values_grid'",
      "delete from public.categories where slug = 'new'",
    ]) {
      await client.query(statement);
    }
    const kept = (await acts(client)).slice(1);
    expect(kept.map(({ act, table_name }) => `${act} ${table_name}`)).toEqual([
      "insert categories",
      "insert items",
      "insert page_configurations",
      "insert field_definitions",
      "update ads",
      "delete categories",
    ]);
    expect(kept.map(({ title }) => title)).toEqual(["New", "New", "values", "New", "values_grid", "New"]);
    expect(kept[2]).toMatchObject({ old: null, new: { page_name: "values", visible_fields: ["name"] } });
    expect(kept[4]).toMatchObject({ old: { enabled: false }, new: { enabled: true } });
    expect(kept[5]).toMatchObject({ old: { slug: "new", name: "New", display_order: 0 }, new: null });
    expect(kept[5].row_id).toBe(kept[0].row_id);
  });
});

test("status words, and what an update of the game touched, are logged too, and what follows from them is not", async () => {
  await as("Eve", async (client) => {
    await client.query("insert into public.status_words (word) values ('fading')");
    await client.query("update public.status_words set word = 'fallen' where word = 'fading'");
    await client.query("delete from public.status_words where word = 'fallen'");
    const { rows } = await client.query(
      "select id from public.items where slug in ('kitsune', 'west-dragon') order by slug",
    );
    const [kitsune, dragon] = rows.map(({ id }) => id);
    const mark =
      "select public.mark_game_update('Update 27', $1, now() + interval '1 day', now(), $2, $3) as id";
    const marked = await client.query(mark, [[kitsune, dragon], null, null]);
    const { rows: stored } = await client.query("select updated_at::text from public.game_updates");
    await client.query(mark, [[kitsune], marked.rows[0].id, stored[0].updated_at]);
    await client.query("delete from public.game_updates");
    const kept = (await acts(client)).slice(1);
    expect(kept.map(({ act, table_name, title }) => `${act} ${table_name} ${title}`)).toEqual([
      "insert status_words fading",
      "update status_words fading",
      "delete status_words fallen",
      "insert game_updates Update 27",
      expect.stringMatching(/^insert game_update_items/),
      expect.stringMatching(/^insert game_update_items/),
      "delete game_update_items West Dragon",
      "delete game_updates Update 27",
    ]);
  });
});

test("admin actions on a user are logged, and no longer name the user once the account is deleted", async () => {
  await as("Ben", async (client) => {
    const { rows } = await client.query(
      "insert into public.chat_messages (message) values ('rude') returning id",
    );
    await become(client, "Ana");
    await client.query("insert into public.chat_reports (message_id) values ($1)", [rows[0].id]);
    await become(client, "Eve");
    await client.query("delete from public.chat_messages where id = $1", [rows[0].id]);
    await client.query("insert into public.chat_silences (user_id, reason) values ($1, 'Rude')", [Ben.id]);
    await client.query("update public.chat_reports set resolved_at = now()");
    await client.query("delete from public.chat_reports");
    const kept = (await acts(client)).slice(1);
    expect(kept.map(({ act, table_name, person_id }) => [act, table_name, person_id])).toEqual([
      ["delete", "chat_messages", Ben.id],
      ["insert", "chat_silences", Ben.id],
      ["update", "reports", Ben.id],
      ["delete", "reports", Ben.id],
    ]);
    expect(kept[0]).toMatchObject({ row_id: rows[0].id, old: { message: "rude" } });
    expect(JSON.stringify(kept), "who reported").not.toContain(Ana.id);

    await becomeOwner(client);
    await client.query("delete from auth.users where id = $1", [Ben.id]);
    const after = (await acts(client)).slice(1);
    expect(after.map(({ act, old, new: added }) => [act, old, added])).toEqual(
      ["delete", "insert", "update", "delete"].map((act) => [act, null, null]),
    );
  });
});

test("an admin's removal of a user's picture clears the profile and is logged; removing one's own is not", async () => {
  await as("Ben", async (client) => {
    const [first, second] = ["1", "2"].map((file) => `${Ben.id}/${file}.webp`);
    const show = async (name: string | undefined) => {
      // Stands in for the move when a moderator approves it.
      await becomeOwner(client);
      await client.query("insert into storage.objects (bucket_id, name) values ('avatars', $1)", [name]);
      await become(client, "Ben");
      await client.query("update public.profiles set avatar_url = $1 where id = auth.uid()", [
        `/storage/v1/object/public/avatars/${name}`,
      ]);
    };
    await show(first);
    await show(second);
    await become(client, "Eve");
    expect((await acts(client)).slice(1)).toEqual([]);
    await client.query("select set_config('storage.allow_delete_query', 'true', true)");
    await client.query("delete from storage.objects where bucket_id = 'avatars'");
    expect((await acts(client)).slice(1)).toMatchObject([
      { act: "delete", table_name: "avatars", admin_id: Eve.id, person_id: Ben.id, old: null },
    ]);
    const shown = "select avatar_url from public.profiles where id = $1";
    expect((await client.query(shown, [Ben.id])).rows).toEqual([{ avatar_url: null }]);
  });
});

test("deleting others' ratings or a contact message, and a check, are logged; deleting one's own rating is not", async () => {
  await as("Ben", async (client) => {
    const rate = "insert into public.user_ratings (rated_user_id, rating, comment) values ($1, 1, 'Bad')";
    await client.query(rate, [Ana.id]);
    await become(client, "Eve");
    await client.query(rate, [Ana.id]);
    await client.query("delete from public.user_ratings");
    await client.query(
      "insert into public.item_value_checks (item_id) select id from public.items where slug = 'kitsune'",
    );
    await becomeOwner(client);
    await client.query(
      `insert into public.contact_messages (name, email, subject, message)
       values ('Mia', 'mia@example.org', 'Hi', 'Hello')`,
    );
    await become(client, "Eve");
    await client.query("delete from public.contact_messages");
    const kept = (await acts(client)).slice(1);
    expect(kept).toMatchObject([
      { act: "delete", table_name: "user_ratings", person_id: Ben.id, old: { rating: 1, comment: "Bad" } },
      { act: "insert", table_name: "item_value_checks", title: "Kitsune", new: {} },
      { act: "delete", table_name: "contact_messages", title: null, old: {} },
    ]);
    expect(JSON.stringify(kept)).not.toContain("mia");

    await become(client, "Ben");
    await client.query(rate, [Ana.id]);
    await become(client, "server");
    await client.query("delete from public.profiles where id = $1", [Ana.id]);
    await becomeOwner(client);
    const { rows } = await client.query("select from public.admin_acts where table_name = 'user_ratings'");
    expect(rows, "what goes with a profile").toHaveLength(1);
  });
});

test("actions with the server's key are logged without a user", async () => {
  await as("server", async (client) => {
    await client.query("delete from public.user_roles");
    await client.query("update public.categories set name = 'Renamed' where slug = 'tokens'");
    await becomeOwner(client);
    const { rows } = await client.query(
      "select admin_id, act, table_name, old from public.admin_acts order by id offset 1",
    );
    expect(rows).toMatchObject([
      { admin_id: null, act: "delete", table_name: "user_roles", old: { user_id: Eve.id } },
      { admin_id: null, act: "update", table_name: "categories", old: { name: "Tokens" } },
    ]);
  });
});

test("a user who loses the admin role loses its rights and the list at once", async () => {
  await as("Eve", async (client) => {
    await becomeOwner(client);
    await client.query("delete from public.user_roles");
    expect(await acts(client)).toEqual([]);
    const changed = await client.query("update public.categories set name = 'Mine'");
    expect(changed.rowCount).toBe(0);
    await expect(
      client.query("insert into public.chat_silences (user_id, reason) values ($1, 'x')", [Ana.id]),
    ).rejects.toMatchObject({ code: "42501" });
  });
});

test("every table whose acts are logged has a noun, and moderators read those about people", async () => {
  const { owner } = database;
  const { rows: logged } = await owner.query(
    `select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
       where tgfoid = 'private.record_act'::regproc
     union
     select call[1] from pg_proc left join lateral regexp_matches(
         prosrc,
         'insert into public\\.admin_acts [^)]+\\)\\s+values \\(\\(select auth\\.uid\\(\\)\\), [^,]+, ''(\\w+)''', 'g'
       ) as call on true
       where prosrc ~ 'insert into public\\.admin_acts' and pg_proc.oid <> 'private.record_act'::regproc`,
  );
  // Reports of chat messages were logged under this name until they became reports like others.
  const named = logged.map(({ name }) => name).concat("chat_reports");
  expect(named.toSorted()).toEqual(Object.keys(ACT_TABLES).toSorted());
  const { rows: read } = await owner.query(
    `select distinct name[1] from pg_policy,
       regexp_matches(pg_get_expr(polqual, polrelid), '''(\\w+)''::text', 'g') as name
     where polrelid = 'public.admin_acts'::regclass`,
  );
  const ofPeople = Object.entries(ACT_TABLES).flatMap(([name, { isOfPeople }]) => (isOfPeople ? [name] : []));
  expect(read.map(({ name }) => name).toSorted()).toEqual(ofPeople.toSorted());
});
