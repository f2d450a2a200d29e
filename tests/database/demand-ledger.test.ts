import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { attempt, become, becomeOwner } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const history = async (client: Client) =>
  (
    await client.query(
      "select kind, old_word, new_word, reason from public.item_demand_changes where item_id = (select id from public.items where slug = 'kitsune') order by id",
    )
  ).rows;

test("demand and status changes are recorded with their reason, and visitors can read them", async () => {
  await as("Eve", async (client) => {
    const { rows } = await client.query("select demand from public.items where slug = 'kitsune'");
    await client.query(
      "update public.items set demand = 'low', status = 'hyped', change_reason = 'Everybody asks' where slug = 'kitsune'",
    );
    await client.query("update public.items set name = 'Kitsune!' where slug = 'kitsune'");
    await become(client, "visitor");
    expect(await history(client)).toEqual([
      { kind: "demand", old_word: rows[0].demand, new_word: "low", reason: "Everybody asks" },
      { kind: "status", old_word: null, new_word: "hyped", reason: "Everybody asks" },
    ]);
  });
});

test("nobody can rewrite recorded changes", async () => {
  await as("Eve", async (client) => {
    await client.query("update public.items set status = 'hyped' where slug = 'kitsune'");
    await becomeOwner(client);
    for (const statement of [
      "update public.item_demand_changes set new_word = 'x'",
      "delete from public.item_demand_changes",
      "truncate public.item_demand_changes",
    ]) {
      await expect(attempt(client, statement), statement).rejects.toMatchObject({ code: "42501" });
    }
  });
});

test("an unknown status is refused, one in use cannot be deleted, and renaming one records no change", async () => {
  await as("Eve", async (client) => {
    for (const [statement, code] of [
      ["update public.items set status = 'cursed'", "23503"],
      ["insert into public.status_words (word) values ('Hyped!')", "23514"],
      ["insert into public.status_words (word) values ('hyped')", "23505"],
    ] as const) {
      await expect(attempt(client, statement), statement).rejects.toMatchObject({ code });
    }
    await client.query("update public.items set status = 'hyped' where slug = 'kitsune'");
    await expect(
      attempt(client, "delete from public.status_words where word = 'hyped'"),
    ).rejects.toMatchObject({
      code: expect.stringMatching(/^(23001|23503)$/),
    });
    await client.query("update public.status_words set word = 'on fire' where word = 'hyped'");
    expect((await client.query("select status from public.items where slug = 'kitsune'")).rows).toEqual([
      { status: "on fire" },
    ]);
    expect(await history(client)).toHaveLength(1);
  });
});

test("an item is restored from the archive without a status that has been deleted meanwhile", async () => {
  await as("Eve", async (client) => {
    await client.query("update public.items set status = 'hyped' where slug = 'kitsune'");
    const { rows } = await client.query("delete from public.items where slug = 'kitsune' returning id");
    await client.query("delete from public.status_words where word = 'hyped'");
    await client.query("select public.restore_item($1)", [rows[0].id]);
    expect((await client.query("select status from public.items where slug = 'kitsune'")).rows).toEqual([
      { status: null },
    ]);
    expect(await history(client)).toHaveLength(1);
  });
});
