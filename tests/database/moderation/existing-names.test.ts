import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { checkExistingNames } from "#server/database/check-existing-names.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, become, becomeOwner } from "#tests/helpers/people.ts";

const { Ana, Ben, Eve } = ACCOUNTS;

const database = ownDatabase();
const { as } = database;

/** Runs `attempt` with Ana and Eve (an admin) under names from before the rule, and Ben under an acceptable one. */
const withOldNames = (attempt: (client: Client) => Promise<void>) =>
  as("server", async (client) => {
    await becomeOwner(client);
    await client.query("set local session_replication_role = replica");
    await client.query("update public.profiles set username = 'girl_11yo' where id = $1", [Ana.id]);
    await client.query("update public.profiles set username = 'zquork_eve' where id = $1", [Eve.id]);
    await client.query("set local session_replication_role = origin");
    await client.query("update private.settings set names_judged_to = null");
    await attempt(client);
  });

const judge = async (client: Client, most = 100): Promise<number> =>
  (await client.query("select private.check_existing_names($1) as judged", [most])).rows[0].judged;

async function nameOf(client: Client, { id }: { id: string }): Promise<string> {
  return (await client.query("select username from public.profiles where id = $1", [id])).rows[0].username;
}

const say = (client: Client) =>
  client.query("insert into public.chat_messages (user_id, message) values (auth.uid(), 'nice trade')");

const forced = async (client: Client) => (await client.query("select * from public.show_forced_name()")).rows;

describe("names from before the rule", () => {
  test("that violate it are replaced at once, and the users choose another before they write", async () => {
    await withOldNames(async (client) => {
      expect([await judge(client), await judge(client), await judge(client)]).toEqual([1, 2, 0]);
      const between = await nameOf(client, Ana);
      expect(between).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+\d+$/);
      expect([await nameOf(client, Ben), await nameOf(client, Eve)]).toEqual([Ben.username, "zquork_eve"]);

      await become(client, "Ben");
      expect(await forced(client)).toEqual([]);
      expect((await say(client)).rowCount).toBe(1);

      await become(client, "Ana");
      expect(await forced(client)).toEqual([
        {
          reason: "A username may not tell how old you are: please take another number",
          by_moderator: false,
        },
      ]);
      await client.query("savepoint before");
      await expect(say(client)).rejects.toMatchObject({ code: "PT403", hint: "username" });
      await client.query("rollback to before");
      await client.query("update public.profiles set username = 'BoldCrab1' where id = $1", [Ana.id]);
      expect(await forced(client)).toEqual([]);
      expect((await say(client)).rowCount).toBe(1);
    });
  });

  test("are judged once, some at a time, and at most one is replaced at a time", async () => {
    await withOldNames(async (client) => {
      expect(await judge(client, 2)).toBe(1);
      expect(await judge(client, 1)).toBe(1);
      expect(await judge(client, 2)).toBe(1);
      expect(await judge(client, 2)).toBe(0);
      await client.query("set local session_replication_role = replica");
      await client.query("update public.profiles set username = 'zquork_ben' where id = $1", [Ben.id]);
      expect(await judge(client, 2)).toBe(0);
      expect(await nameOf(client, Ben)).toBe("zquork_ben");
    });
  });

  test("are not judged while no words are loaded, since all would fail", async () => {
    await withOldNames(async (client) => {
      await client.query("delete from private.vocabularies where language not in ('items', 'site')");
      expect(await judge(client)).toBe(0);
      expect(await nameOf(client, Ana)).toBe("girl_11yo");
    });
  });

  test("are judged only by the server", async () => {
    await as("Ana", async (client) => {
      await expect(judge(client)).rejects.toMatchObject({ code: "42501" });
    });
  });
});

test("digits after a generated name are not read as a word", async () => {
  await as("server", async (client) => {
    await becomeOwner(client);
    const fault = async (name: string) =>
      (await client.query("select private.find_username_fault($1) as fault", [name])).rows[0].fault;
    for (const name of ["GlowingRaven6455", "LunarOrca8277", "RubyMarlin9772"])
      expect(await fault(name)).toBeNull();
    expect(await fault("cool_5h1t")).toBe("This username is not allowed");
    const { rows } = await client.query(
      `select name from (select private.generate_username('') as name from generate_series(1, 300)) as generated
       where private.find_username_fault(name) is not null`,
    );
    expect(rows).toEqual([]);
  });
});

test("a site judges them when it starts", async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("update private.settings set names_judged_to = null");
  await client.query("set session_replication_role = replica");
  await client.query("update public.profiles set username = 'girl_11yo' where id = $1", [Ana.id]);
  const logged: string[] = [];
  const stop = checkExistingNames(database.url, (line) => logged.push(line));
  await expect.poll(() => nameOf(client, Ana)).not.toBe("girl_11yo");
  await stop();
  await client.end();
  expect(logged).toEqual([]);
});
