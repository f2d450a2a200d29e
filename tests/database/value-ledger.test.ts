import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { ACCOUNTS, asPerson, attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ people: true });
});
afterAll(() => database.drop());

const as = <Result>(person: Person, scene: (client: Client) => Promise<Result>) =>
  asPerson(database.url, person, scene);

const LONG_AGO = "2020-01-01T00:00:00.000Z";

/** Kitsune, with its changes since the catalogue was loaded. */
async function readKitsune(client: Client) {
  const { rows: items } = await client.query("select * from public.items where slug = 'kitsune'");
  const { rows: changes } = await client.query(
    `select mode, old_value, new_value, old_number::float, new_number::float, reason, changed_by
     from public.item_value_changes where item_id = $1 and changed_at > '2026-08-19' order by id`,
    [items[0].id],
  );
  return { item: items[0], changes };
}

/** Puts Kitsune's times far back, so that a move shows. */
async function age(client: Client, person: Person) {
  await becomeOwner(client);
  await client.query("alter table public.items disable trigger items_follow_item");
  await client.query(
    "update public.items set updated_at = $1, values_checked_at = $1 where slug = 'kitsune'",
    [LONG_AGO],
  );
  await client.query("alter table public.items enable trigger items_follow_item");
  await become(client, person);
}

describe("nobody rewrites the history of values", () => {
  test.each(["item_value_changes", "item_value_checks"])("%s", async (table) => {
    await as("Eve", async (client) => {
      await client.query("update public.items set current_value = '1' where slug = 'kitsune'");
      await client.query(
        "insert into public.item_value_checks (item_id) select id from public.items limit 1",
      );
      await becomeOwner(client);
      for (const statement of [
        `update public.${table} set item_id = item_id`,
        `update public.${table} set ${table === "item_value_changes" ? "changed_by" : "checked_by"} = null`,
        `delete from public.${table}`,
        `truncate public.${table}`,
      ]) {
        await expect(attempt(client, statement), statement).rejects.toMatchObject({
          code: "42501",
          message: `Rows of ${table} are never changed or deleted`,
        });
      }
    });
  });

  test("but it goes with its item, and forgets a person whose account is gone", async () => {
    await as("Eve", async (client) => {
      await client.query("update public.items set current_value = '1' where slug = 'kitsune'");
      await client.query(
        "insert into public.item_value_checks (item_id) select id from public.items where slug = 'kitsune'",
      );
      await becomeOwner(client);
      await client.query("delete from auth.users where id = $1", [ACCOUNTS.Eve.id]);
      const { item, changes } = await readKitsune(client);
      expect(changes).toMatchObject([{ new_value: "1", changed_by: null }]);
      expect((await client.query("select checked_by from public.item_value_checks")).rows).toEqual([
        { checked_by: null },
      ]);

      await client.query("delete from public.items where id = $1", [item.id]);
      const left = await client.query("select from public.item_value_changes where item_id = $1", [item.id]);
      expect(left.rowCount).toBe(0);
    });
  });

  test("no client moves values_checked_at or writes the ledger by hand", async () => {
    await as("Eve", async (client) => {
      for (const statement of [
        "update public.items set values_checked_at = now()",
        "insert into public.items (name, slug, values_checked_at) values ('a', 'a', now())",
        "insert into public.item_value_checks (item_id, checked_at) select id, now() from public.items limit 1",
      ]) {
        await expect(attempt(client, statement)).rejects.toMatchObject({ code: "42501" });
      }
    });
  });
});

describe("a changed value", () => {
  test("is kept with old, new, reason and who, and counts as checked", async () => {
    await as("Eve", async (client) => {
      await age(client, "Eve");
      await client.query(
        "update public.items set current_value = '700M', permanent_value = null, change_reason = ' After the update ' where slug = 'kitsune'",
      );
      const { item, changes } = await readKitsune(client);
      const common = { reason: "After the update", changed_by: ACCOUNTS.Eve.id };
      expect(changes).toEqual([
        {
          mode: "regular",
          old_value: "640M",
          new_value: "700M",
          old_number: 640e6,
          new_number: 700e6,
          ...common,
        },
        {
          mode: "permanent",
          old_value: "6.24B",
          new_value: null,
          old_number: 6.24e9,
          new_number: null,
          ...common,
        },
      ]);
      expect(item).toMatchObject({ change_reason: null, current_value_number: "700000000" });
      const { rows } = await client.query("select now() as now");
      expect(item.values_checked_at).toEqual(rows[0].now);
      expect(item.updated_at).toEqual(rows[0].now);
    });
  });

  test.each([
    ["the same value written otherwise", "current_value = '0.64b'"],
    ["another field", "demand = 'low'"],
    ["the previous value", "previous_value = '1'"],
    ["an unneeded reason", "change_reason = 'Because'"],
  ])("is not: %s", async (_, change) => {
    await as("Eve", async (client) => {
      await age(client, "Eve");
      await client.query(`update public.items set ${change} where slug = 'kitsune'`);
      const { item, changes } = await readKitsune(client);
      expect(changes).toEqual([]);
      expect(item.values_checked_at.toISOString()).toBe(LONG_AGO);
      expect(item.updated_at.toISOString()).not.toBe(LONG_AGO);
      expect(item.change_reason).toBeNull();
    });
  });

  test("from unpriced to 0 is one, from one unpriced text to another is none", async () => {
    await as("Eve", async (client) => {
      await client.query("update public.items set current_value = 'N/A' where slug = 'kitsune'");
      await client.query("update public.items set current_value = 'ask me' where slug = 'kitsune'");
      await client.query("update public.items set current_value = '0' where slug = 'kitsune'");
      const { changes } = await readKitsune(client);
      expect(changes.map(({ old_value, new_value }) => [old_value, new_value])).toEqual([
        ["640M", "N/A"],
        ["ask me", "0"],
      ]);
    });
  });

  test("of several items at once is kept for each", async () => {
    await as("Eve", async (client) => {
      const { rowCount } = await client.query(
        "update public.items set current_value = '3', change_reason = 'Reset' where type = 'gamepass'",
      );
      const changes = await client.query(
        "select from public.item_value_changes where new_value = '3' and reason = 'Reset'",
      );
      expect(changes.rowCount).toBe(rowCount);
    });
  });
});

describe("a new item", () => {
  const insert = `insert into public.items (name, slug, current_value, permanent_value, change_reason)
    values ('New', 'new', $1, $2, 'First') returning id`;

  test("begins its history with its values", async () => {
    await as("Eve", async (client) => {
      const { rows } = await client.query(insert, ["5B", "9B"]);
      const changes = await client.query(
        "select mode, old_value, new_value, reason, changed_by from public.item_value_changes where item_id = $1 order by id",
        [rows[0].id],
      );
      const common = { old_value: null, reason: "First", changed_by: ACCOUNTS.Eve.id };
      expect(changes.rows).toEqual([
        { mode: "regular", new_value: "5B", ...common },
        { mode: "permanent", new_value: "9B", ...common },
      ]);
      const stored = await client.query("select change_reason from public.items where id = $1", [rows[0].id]);
      expect(stored.rows).toEqual([{ change_reason: null }]);
    });
  });

  test("without values has no history yet", async () => {
    await as("Eve", async (client) => {
      const { rows } = await client.query(insert, ["N/A", null]);
      const changes = await client.query("select from public.item_value_changes where item_id = $1", [
        rows[0].id,
      ]);
      expect(changes.rowCount).toBe(0);
    });
  });
});

describe("updated_at and created_at", () => {
  test.each([
    ["items", "name = 'Renamed'"],
    ["categories", "name = 'Renamed'"],
    ["ads", "enabled = true"],
    ["field_definitions", "label = 'Renamed'"],
    ["profiles", "avatar_url = '/storage/v1/object/public/avatars/' || id || '/a.png'"],
  ])("of %s are the server's, however forged", async (table, change) => {
    await as("Eve", async (client) => {
      await client.query(`update public.${table} set ${change}, updated_at = '1999-01-01'`);
      const { rows } = await client.query(
        `select distinct updated_at = now() as is_now from public.${table} ${table === "profiles" ? "where avatar_url is not null" : ""}`,
      );
      expect(rows).toEqual([{ is_now: true }]);
      if (table === "ads") return;
      await expect(attempt(client, `update public.${table} set created_at = now()`)).rejects.toMatchObject({
        code: "42501",
      });
    });
  });
});

describe("a check", () => {
  test("says who found the values still right, and is no edit", async () => {
    await as("Eve", async (client) => {
      await age(client, "Eve");
      await client.query(
        "insert into public.item_value_checks (item_id) select id from public.items where slug = 'kitsune'",
      );
      const { item, changes } = await readKitsune(client);
      const checks = await client.query(
        "select item_id, checked_by, checked_at from public.item_value_checks",
      );
      expect(checks.rows).toEqual([
        { item_id: item.id, checked_by: ACCOUNTS.Eve.id, checked_at: item.values_checked_at },
      ]);
      expect(item.updated_at.toISOString()).toBe(LONG_AGO);
      expect(item.values_checked_at.toISOString()).not.toBe(LONG_AGO);
      expect(changes).toEqual([]);
    });
  });
});

describe("categories", () => {
  test("one with items is not deleted, and says why", async () => {
    await as("Eve", async (client) => {
      await expect(
        attempt(client, "delete from public.categories where slug = 'tokens'"),
      ).rejects.toMatchObject({
        code: "23503",
        message: "The category Tokens still has 2 items; move or delete them first",
      });
      await client.query("delete from public.items where type = 'item'");
      expect((await client.query("delete from public.categories where slug = 'tokens'")).rowCount).toBe(1);
    });
  });

  test("a slug that exists already is a conflict", async () => {
    await as("Eve", async (client) => {
      await expect(
        attempt(client, "insert into public.items (name, slug) values ('Again', 'kitsune')"),
      ).rejects.toMatchObject({ code: "23505", constraint: "items_slug_key" });
    });
  });
});
