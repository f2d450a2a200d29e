import type { Client } from "pg";
import { expect, test } from "vitest";
import { attempt, become, becomeOwner } from "#tests/helpers/people.ts";
import { Ben, editorsDatabase, Ned, publish } from "./editors.ts";

const { as, asNed } = editorsDatabase();

const choose = (client: Client, name: string) =>
  attempt(client, "insert into public.editor_names (name) values ($1)", [name]);
/** The author of Buddha's last change, as a visitor reads it in the list, on the item's page and anywhere else. */
async function readNames(client: Client) {
  await become(client, "visitor");
  const { rows } = await client.query(
    `select editor_name, changed_as, (
       select json_agg(names.editor_name) from public.list_item_sources((select id from public.items where slug = 'buddha')) as names
     ) as names
     from public.list_changes(item_like => 'Buddha', most => 1)`,
  );
  return rows[0];
}

/** Ned changes Buddha; the client then acts as this user. */
const asNedWhoChanged = <Result>(scene: (client: Client) => Promise<Result>) =>
  asNed(async (client) => {
    await publish(client, [{ slug: "buddha", value: "11M", was: "10M" }]);
    return scene(client);
  });

test("without a public name only the role is shown, and nothing identifies the editor", async () => {
  await asNedWhoChanged(async (client) => {
    expect(await readNames(client)).toEqual({ editor_name: null, changed_as: "editor", names: null });
    const { rows } = await client.query("select * from public.list_changes(most => 50)");
    expect(JSON.stringify(rows)).not.toContain(Ned.username);
    expect(JSON.stringify(rows)).not.toContain(Ned.id);
    await expect(attempt(client, "select * from public.editor_names")).rejects.toMatchObject({
      code: "42501",
    });
  });
});

test("a name also appears on earlier changes; it can be changed, and once removed it appears nowhere", async () => {
  await asNedWhoChanged(async (client) => {
    await choose(client, "BraveFox");
    expect(await readNames(client)).toMatchObject({ editor_name: "BraveFox", names: ["BraveFox"] });
    await become(client, "Ned");
    await client.query("update public.editor_names set name = 'CalmBear'");
    expect(await readNames(client)).toMatchObject({ editor_name: "CalmBear", names: ["CalmBear"] });
    await become(client, "Ned");
    await client.query("delete from public.editor_names");
    expect(await readNames(client)).toEqual({ editor_name: null, changed_as: "editor", names: null });
  });
});

test("only editors and admins choose one, and each in their own name", async () => {
  for (const person of ["visitor", "Ana", "Mia"] as const) {
    await as(person, async (client) => {
      await expect(choose(client, "BraveFox"), person).rejects.toMatchObject({ code: "42501" });
    });
  }
  await as("Ned", async (client) => {
    await expect(
      attempt(client, "insert into public.editor_names (name, user_id) values ('BraveFox', $1)", [Ben.id]),
    ).rejects.toMatchObject({ code: "42501" });
    await choose(client, "BraveFox");
    await become(client, "Eve");
    for (const statement of [
      "update public.editor_names set name = 'CalmBear'",
      "delete from public.editor_names",
    ]) {
      expect((await client.query(statement)).rowCount, statement).toBe(0);
    }
  });
});

test.each([
  ["kys", "This name is not allowed"],
  ["TheAdmin", "This name is reserved"],
  ["Mod_Team", "This name is reserved"],
  ["BraveFox12", "A name may not tell how old you are: please take another number"],
  ["Qzxvw", "A name is made of words that the site knows: try one of the suggestions"],
  [Ben.username, "This name is taken"],
  ["WiseHer0n300", "This name is taken"],
  // Told only of those with a role, it would tell who they are.
  [Ben.username.replace(/(?<=[a-z])(?=[A-Z])/, "_"), "This name is taken"],
])("%s is refused: %s", async (name, message) => {
  await as("Ned", async (client) => {
    await expect(choose(client, name)).rejects.toMatchObject({ code: "23514", message });
    await choose(client, "BraveFox");
    await expect(attempt(client, "update public.editor_names set name = $1", [name])).rejects.toMatchObject({
      code: "23514",
      message,
    });
  });
});

test.each(["x", "has blank", "Ünknown", "a".repeat(21)])("'%s' is refused as malformed", async (name) => {
  await as("Ned", async (client) => {
    await expect(choose(client, name)).rejects.toMatchObject({ code: "23514" });
  });
});

test("whoever is no editor learns nothing of names", async () => {
  await as("Ana", async (client) => {
    for (const name of ["BraveFox", "WiseHer0n300"])
      await expect(choose(client, name), name).rejects.toMatchObject({ code: "42501" });
  });
});

test("a name is unique: no other editor can take it, nor anyone as a username", async () => {
  await as("Ned", async (client) => {
    await choose(client, "BraveFox");
    await become(client, "Eve");
    for (const name of ["bravefox", "Brave_Fox"]) {
      await expect(choose(client, name), name).rejects.toMatchObject({ code: "23514" });
    }
    await become(client, "Ana");
    await expect(
      attempt(client, "update public.profiles set username = 'BRAVEF0X' where id = auth.uid()"),
    ).rejects.toMatchObject({ message: "This username is reserved" });
    // The editor's own username may be the public name.
    await become(client, "Ned");
    await client.query("update public.editor_names set name = $1", [Ned.username]);
  });
});

test("it goes with the role and with the account", async () => {
  for (const end of [
    "delete from public.user_roles where user_id = $1",
    "update public.user_roles set role = 'moderator' where user_id = $1",
    "delete from auth.users where id = $1",
  ]) {
    await asNedWhoChanged(async (client) => {
      await choose(client, "BraveFox");
      await becomeOwner(client);
      await client.query(end, [Ned.id]);
      expect(await readNames(client), end).toMatchObject({ editor_name: null, names: null });
      await becomeOwner(client);
      expect((await client.query("select from public.editor_names")).rowCount, end).toBe(0);
    });
  }
});

test("editors read it in the ledger", async () => {
  await asNedWhoChanged(async (client) => {
    await choose(client, "BraveFox");
    await become(client, "Eve");
    const { rows } = await client.query(
      "select changed_by_name, editor_name from public.list_value_changes((select id from public.items where slug = 'buddha')) order by id desc limit 1",
    );
    expect(rows).toEqual([{ changed_by_name: Ned.username, editor_name: "BraveFox" }]);
  });
});
