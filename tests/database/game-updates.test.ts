import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { attempt, become } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const MARK = `select public.mark_game_update('Update 27', array(select id from public.items where slug in ('kitsune', 'dough')),
  now() + interval '7 days', now()) as id`;

async function rangeOf(client: Client, slug: string) {
  const { rows } = await client.query(
    `select low::float, high::float, confidence, game_update, volatile_until is not null as is_volatile
     from public.list_value_ranges(array(select id from public.items where slug = $1)) where mode = 'regular'`,
    [slug],
  );
  return rows[0];
}

test("only admins mark updates, and invalid ones are refused", async () => {
  for (const person of ["Ana", "Mia", "Ned"] as const) {
    await as(person, (client) =>
      expect(attempt(client, MARK)).rejects.toMatchObject({
        code: "42501",
        message: "Only admins mark game updates",
      }),
    );
  }
  await as("visitor", (client) => expect(attempt(client, MARK)).rejects.toMatchObject({ code: "42501" }));
  await as("Eve", async (client) => {
    for (const [call, code] of [
      ["'Update', '{}', now() + interval '1 day'", "23514"],
      [`' ', array(select id from public.items limit 1), now() + interval '1 day'`, "23514"],
      [`'Update', array(select id from public.items limit 1), now() - interval '1 day'`, "23514"],
      [`'Update', array(select id from public.items limit 1), now() + interval '91 days'`, "23514"],
      [`'Update', array[gen_random_uuid()], now() + interval '1 day'`, "23503"],
    ] as const) {
      await expect(attempt(client, `select public.mark_game_update(${call})`), call).rejects.toMatchObject({
        code,
      });
    }
    expect((await client.query("select from public.game_updates")).rowCount).toBe(0);
  });
});

test("values affected by an update get twice the uncertainty and no confidence until it ends", async () => {
  await as("Eve", async (client) => {
    await client.query(
      "update public.items set current_value = '640M', current_low = '600M', current_high = '700M' where slug = 'kitsune'",
    );
    await client.query("update public.items set current_value = '640M' where slug in ('dough', 'tiger')");
    await client.query(MARK);
    await become(client, "visitor");
    expect(await rangeOf(client, "kitsune")).toEqual({
      low: 560e6,
      high: 760e6,
      confidence: "low",
      game_update: "Update 27",
      is_volatile: true,
    });
    expect(await rangeOf(client, "dough")).toMatchObject({ low: 575e6, high: 705e6, is_volatile: true });
    expect(await rangeOf(client, "tiger")).toMatchObject({ low: 605e6, high: 675e6, is_volatile: false });
    await become(client, "Eve");
    await client.query("update public.game_updates set volatile_until = now()");
    expect(await rangeOf(client, "kitsune")).toMatchObject({ low: 600e6, high: 700e6, game_update: null });
  });
});

test("marking an update again overwrites it and its affected items", async () => {
  await as("Eve", async (client) => {
    const { rows } = await client.query(MARK);
    await client.query(
      `select public.mark_game_update('Update 27.1', array(select id from public.items where slug = 'tiger'),
        now() + interval '3 days', now(), $1, now())`,
      [rows[0].id],
    );
    const { rows: touched } = await client.query(
      `select game_updates.name, slug from public.game_updates
       join public.game_update_items on update_id = game_updates.id join public.items on items.id = item_id`,
    );
    expect(touched).toEqual([{ name: "Update 27.1", slug: "tiger" }]);
    await expect(
      attempt(
        client,
        `select public.mark_game_update('Gone', array(select id from public.items limit 1),
          now() + interval '3 days', now(), gen_random_uuid(), now())`,
      ),
    ).rejects.toMatchObject({ code: "PT404" });
  });
});

test("an update that somebody else changed is not overwritten", async () => {
  await as("Eve", async (client) => {
    const { rows } = await client.query(MARK);
    const edit = (name: string, was: string) =>
      attempt(
        client,
        `select public.mark_game_update('${name}', array(select id from public.items where slug = 'tiger'),
          id => '${rows[0].id}', was => ${was}) as id`,
      );
    const older = "now() - interval '1 millisecond'";
    await expect(edit("Update 28", older)).rejects.toMatchObject({
      code: "PT409",
      message: "This update was changed by somebody else in the meantime",
    });
    await edit("Update 28", "now()");
    // Its answer was lost.
    await edit("Update 28", older);
    await expect(edit("Update 29", older)).rejects.toMatchObject({ code: "PT409" });
    const { rows: kept } = await client.query(
      "select game_updates.name, slug from public.game_updates, public.game_update_items join public.items on id = item_id",
    );
    expect(kept).toEqual([{ name: "Update 28", slug: "tiger" }]);
  });
});

test("an update is added once, however often it is sent under one id", async () => {
  await as("Eve", async (client) => {
    const id = "d0000000-0000-4000-8000-00000000000d";
    const add = (name: string) =>
      attempt(
        client,
        `select public.mark_game_update('${name}', array(select id from public.items where slug in ('dough', 'kitsune')),
          now() + interval '1 day', id => '${id}')`,
      );
    await add("Update 27");
    await add("Update 27");
    await expect(add("Update 28")).rejects.toMatchObject({
      code: "PT409",
      message: "This update is marked already: edit it in the list",
    });
    expect((await client.query("select id, name from public.game_updates")).rows).toEqual([
      { id, name: "Update 27" },
    ]);
    expect((await client.query("select from public.game_update_items")).rowCount).toBe(2);
  });
});

test("an update keeps its date when it is changed without one", async () => {
  await as("Eve", async (client) => {
    const { rows } = await client.query(
      `select public.mark_game_update('Updte 27', array(select id from public.items where slug = 'dough'),
        now() + interval '1 day', now() - interval '19 days') as id`,
    );
    await client.query(
      `select public.mark_game_update('Update 27', array(select id from public.items where slug = 'dough'),
        now() + interval '1 day', id => $1, was => now())`,
      [rows[0].id],
    );
    const { rows: kept } = await client.query(
      "select name, happened_at = now() - interval '19 days' as is_same_day from public.game_updates",
    );
    expect(kept).toEqual([{ name: "Update 27", is_same_day: true }]);
  });
});

test("an update that has ended is renamed without starting again", async () => {
  await as("Eve", async (client) => {
    const { rows } = await client.query(MARK);
    const { rows: ended } = await client.query(
      "update public.game_updates set volatile_until = now() returning *",
    );
    await client.query(
      `select public.mark_game_update('Update 28', array(select id from public.items where slug = 'dough'), id => $1,
        was => now())`,
      [rows[0].id],
    );
    expect((await client.query("select * from public.game_updates")).rows).toEqual([
      { ...ended[0], name: "Update 28", updated_at: expect.any(Date) },
    ]);
  });
});

test("an item is restored from the archive with its updates, except those deleted meanwhile", async () => {
  await as("Eve", async (client) => {
    await client.query(MARK);
    const { rows } = await client.query(
      "delete from public.items where slug in ('kitsune', 'dough') returning id",
    );
    await client.query("select public.restore_item($1)", [rows[0].id]);
    expect((await client.query("select item_id from public.game_update_items")).rows).toEqual([
      { item_id: rows[0].id },
    ]);
    await client.query("delete from public.game_updates");
    await client.query("select public.restore_item($1)", [rows[1].id]);
    expect((await client.query("select from public.game_update_items")).rowCount).toBe(0);
  });
});
