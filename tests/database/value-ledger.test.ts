import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const LONG_AGO = "2020-01-01T00:00:00.000Z";

/** Kitsune, with its changes since the catalog was loaded. */
async function readKitsune(client: Client) {
  const { rows: items } = await client.query("select * from public.items where slug = 'kitsune'");
  const { rows: changes } = await asOwner(client, () =>
    client.query(
      `select mode, old_value, new_value, old_number::float, new_number::float, reason, changed_by
     from public.item_value_changes where item_id = $1 and changed_at > '2026-08-19' order by id`,
      [items[0].id],
    ),
  );
  return { item: items[0], changes };
}

/** Reads as the table owner, who alone sees the author of a change, then restores the client's user. */
async function asOwner<Result>(client: Client, read: () => Promise<Result>): Promise<Result> {
  const { rows } = await client.query(
    "select current_user as role, current_setting('request.jwt.claims', true) as claims",
  );
  await becomeOwner(client);
  const result = await read();
  await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
    rows[0].role,
    rows[0].claims,
  ]);
  return result;
}

/** Sets Kitsune's timestamps far back, so that an update of them is visible. */
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

describe("nobody can rewrite the history of values", () => {
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

  test("but it is deleted with its item, and drops the name of a deleted account", async () => {
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

  test("no client can set values_checked_at or write the ledger directly", async () => {
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
  test("is recorded with old, new, reason and author, and counts as checked", async () => {
    await as("Eve", async (client) => {
      await age(client, "Eve");
      await client.query(
        "update public.items set current_value = '700M', permanent_value = null, change_reason = ' After the update ' where slug = 'kitsune'",
      );
      const { item, changes } = await readKitsune(client);
      const common = { reason: "After the update", changed_by: ACCOUNTS.Eve.id };
      // The previous value is updated automatically.
      expect(item).toMatchObject({ previous_value: "640M", permanent_previous_value: "6.24B" });
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
  ])("is not recorded: %s", async (_, change) => {
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

  test("is recorded from unpriced to 0, but not from one unpriced text to another", async () => {
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

  test("of several items at once is recorded for each", async () => {
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

describe("the previous value", () => {
  test("is set when a value changes, unless it is given explicitly, even if unchanged", async () => {
    await as("Eve", async (client) => {
      const read = async () => (await readKitsune(client)).item.previous_value;
      const write = (change: string) =>
        client.query(`update public.items set ${change} where slug in ('kitsune', 'dough')`);
      await write("current_value = '700M'");
      expect(await read()).toBe("640M");
      await write("current_value = '0.7B'");
      expect(await read()).toBe("640M");
      await write("current_value = '800M', previous_value = '640M', permanent_value = '1T'");
      expect(await read()).toBe("640M");
      expect((await readKitsune(client)).item.permanent_previous_value).toBe("6.24B");
      await write("current_value = '900M'");
      expect(await read()).toBe("800M");
    });
  });
});

describe("undoing a change", () => {
  const undo = (client: Client, id: number) =>
    attempt(client, "select * from public.undo_value_change($1, 'Undone')", [id]);

  /** Gives Kitsune these texts and an old check, then makes the change; returns its ledger id. */
  async function change(client: Client, before: string, after: string): Promise<number> {
    await client.query(`update public.items set ${before} where slug = 'kitsune'`);
    await age(client, "Eve");
    await client.query(`update public.items set ${after} where slug = 'kitsune'`);
    const { rows } = await client.query("select max(id)::int as id from public.item_value_changes");
    return rows[0].id;
  }

  test.each([
    ["equal values", "current_value = '2.5M', previous_value = '2.5M'", "current_value = '3M'"],
    ["as typed", "current_value = ' 2500000 ', previous_value = '3,500,000'", "current_value = '3M'"],
    ["an unpriced one", "current_value = 'ask me', previous_value = 'N/A'", "current_value = '3M'"],
    [
      "both written",
      "current_value = '2.5M', previous_value = '1M'",
      "current_value = '3M', previous_value = '9M'",
    ],
    [
      "a permanent one",
      "permanent_value = '2.5m', permanent_previous_value = null",
      "permanent_value = '4M'",
    ],
    [
      "a permanent one that there was none of",
      "permanent_value = null, permanent_previous_value = null",
      "permanent_value = '4M'",
    ],
  ])("restores the item exactly: %s", async (_, before, after) => {
    await as("Eve", async (client) => {
      const id = await change(client, before, after);
      const changed = (await readKitsune(client)).changes.at(-1);
      await undo(client, id);
      const { item, changes } = await readKitsune(client);
      const columns = before.match(/\w+(?= = )/g)?.join(", ");
      await client.query(`update public.items set ${before} where slug = 'kitsune'`);
      const wanted = await client.query(`select ${columns} from public.items where slug = 'kitsune'`);
      expect(item).toMatchObject(wanted.rows[0]);
      // Undoing does not count as a check.
      expect(item.values_checked_at.toISOString()).toBe(LONG_AGO);
      expect(item.updated_at.toISOString()).not.toBe(LONG_AGO);
      expect(changes.at(-1)).toMatchObject({
        old_value: changed.new_value,
        new_value: changed.old_value,
        reason: "Undone",
        changed_by: ACCOUNTS.Eve.id,
      });
    });
  });

  test("can be undone itself", async () => {
    await as("Eve", async (client) => {
      const id = await change(
        client,
        "current_value = '2.5M', previous_value = '1M'",
        "current_value = '3M'",
      );
      await undo(client, id);
      const { rows } = await client.query("select max(id)::int as id from public.item_value_changes");
      await undo(client, rows[0].id);
      expect((await readKitsune(client)).item).toMatchObject({ current_value: "3M", previous_value: "2.5M" });
    });
  });

  test.each([
    ["a later change", "current_value = '4M'"],
    ["another previous value", "previous_value = '1'"],
    ["another spelling", "current_value = '3000K'"],
  ])("is refused after %s", async (_, meanwhile) => {
    await as("Eve", async (client) => {
      const id = await change(client, "current_value = '2.5M'", "current_value = '3M'");
      await client.query(`update public.items set ${meanwhile} where slug = 'kitsune'`);
      await expect(undo(client, id)).rejects.toMatchObject({
        code: "PT409",
        message: "Kitsune was changed in the meantime: look at its ledger again",
      });
    });
  });

  test("is refused for a reading, since the value before it is unknown", async () => {
    await as("Eve", async (client) => {
      const { rows } = await client.query("select max(id)::int as id from public.item_value_changes");
      await expect(undo(client, rows[0].id)).rejects.toMatchObject({ code: "PT409" });
      await expect(undo(client, 999_999_999)).rejects.toMatchObject({ code: "PT404" });
    });
  });

  test.each(["visitor", "Ana"] as const)("is refused from %s", async (person) => {
    await as("Eve", async (client) => {
      const id = await change(client, "current_value = '2.5M'", "current_value = '3M'");
      await become(client, person);
      await expect(undo(client, id)).rejects.toMatchObject({ code: "42501" });
    });
  });
});

describe("a new item", () => {
  const insert = `insert into public.items (name, slug, current_value, permanent_value, change_reason)
    values ('New', 'new', $1, $2, 'First') returning id`;

  test("starts its history with its values", async () => {
    await as("Eve", async (client) => {
      const { rows } = await client.query(insert, ["5B", "9B"]);
      const changes = await asOwner(client, () =>
        client.query(
          "select mode, old_value, new_value, reason, changed_by from public.item_value_changes where item_id = $1 order by id",
          [rows[0].id],
        ),
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
  ])("of %s are set by the server, whatever the client sends", async (table, change) => {
    await as("Eve", async (client) => {
      await client.query(`update public.${table} set ${change}, updated_at = '1999-01-01'`);
      const { rows } = await client.query(
        `select distinct updated_at = now() as is_now from public.${table}`,
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
  test("records who confirmed the values, and is no edit", async () => {
    await as("Eve", async (client) => {
      await age(client, "Eve");
      await client.query(
        "insert into public.item_value_checks (item_id) select id from public.items where slug = 'kitsune'",
      );
      const { item, changes } = await readKitsune(client);
      const checks = await asOwner(client, () =>
        client.query("select item_id, checked_by, checked_at from public.item_value_checks"),
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
  test("with items cannot be deleted, and the error says why", async () => {
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

describe("the author of a value change", () => {
  test.each(["visitor", "Ana"] as const)("is not revealed to %s in any way", async (person) => {
    await as(person, async (client) => {
      for (const question of [
        "select changed_by from public.item_value_changes",
        "select from public.item_value_changes join public.profiles on profiles.id = changed_by",
        "select checked_by from public.item_value_checks",
        "select from public.list_value_changes((select id from public.items limit 1))",
      ]) {
        await expect(attempt(client, question), question).rejects.toMatchObject({ code: "42501" });
      }
      const what = await client.query(
        "select new_value, reason, changed_at from public.item_value_changes limit 1",
      );
      expect(what.rowCount).toBe(1);
    });
  });

  test("is visible to admins", async () => {
    await as("Eve", async (client) => {
      await client.query("update public.items set current_value = '1' where slug = 'kitsune'");
      const { rows } = await client.query(
        `select new_value, changed_by_name
         from public.list_value_changes((select id from public.items where slug = 'kitsune'))
         order by id desc limit 1`,
      );
      expect(rows).toEqual([{ new_value: "1", changed_by_name: ACCOUNTS.Eve.username }]);
    });
  });
});
