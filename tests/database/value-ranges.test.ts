import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const change = (client: Client, sets: string) =>
  client.query(`update public.items set ${sets} where slug = 'kitsune' returning *`);

async function rangesOf(client: Client) {
  const { rows } = await client.query(
    `select mode, low::float, high::float, is_set, confidence, observations, spread::float
     from public.list_value_ranges(array(select id from public.items where slug = 'kitsune'))`,
  );
  return Object.fromEntries(rows.map(({ mode, ...range }) => [mode, range]));
}

/** Sets Kitsune's last check this many days back; the client then acts as this user. */
async function checkedAgo(client: Client, person: Person, days: number) {
  await becomeOwner(client);
  await client.query("alter table public.items disable trigger items_follow_item");
  await client.query(
    "update public.items set values_checked_at = now() - $1 * interval '1 day' where slug = 'kitsune'",
    [days],
  );
  await client.query("alter table public.items enable trigger items_follow_item");
  await become(client, person);
}

describe("an editor's range", () => {
  test.each([
    ["current_low = '700M'"],
    ["current_high = '600M'"],
    ["current_low = ''"],
    ["current_high = 'a lot'"],
    ["permanent_high = '1'"],
    ["permanent_value = null, permanent_low = '1'"],
    ["current_value = '900M', current_low = '600M', current_high = '800M'"],
  ])("is refused if it does not contain its value: %s", async (sets) => {
    await as("Eve", async (client) => {
      await expect(
        attempt(client, `update public.items set ${sets} where slug = 'kitsune'`),
      ).rejects.toMatchObject({
        code: "23514",
        message: expect.stringMatching(/value_is_within_its_range/),
      });
    });
  });

  test("is set only by admins", async () => {
    for (const person of ["visitor", "Ana", "Mia"] as const) {
      await as(person, async (client) => {
        const write = () =>
          attempt(client, "update public.items set current_low = '1' where slug = 'kitsune'");
        if (person === "visitor") await expect(write()).rejects.toMatchObject({ code: "42501" });
        else expect((await write()).rowCount).toBe(0);
      });
    }
  });

  test("is returned to everybody, open at one end or closed", async () => {
    await as("Eve", async (client) => {
      await change(
        client,
        "current_value = '640M', current_low = '600M', current_high = '700M', permanent_value = null",
      );
      await become(client, "visitor");
      expect(await rangesOf(client)).toMatchObject({ regular: { low: 600e6, high: 700e6, is_set: true } });
    });
  });

  test("is kept with a new value inside it, and removed with one outside it", async () => {
    await as("Eve", async (client) => {
      await change(client, "current_value = '640M', current_low = '600M', current_high = '700M'");
      const kept = await change(client, "current_value = '650M'");
      expect(kept.rows).toMatchObject([{ current_low: "600M", current_high: "700M" }]);
      const gone = await change(client, "current_value = '800M'");
      expect(gone.rows).toMatchObject([{ current_low: null, current_high: null }]);
    });
  });

  test("comes back with the value when its change is undone", async () => {
    await as("Eve", async (client) => {
      await change(client, "current_value = '640M', current_low = '600M', current_high = '700M'");
      await change(client, "current_value = '800M'");
      await client.query("select public.undo_value_change((select max(id) from public.item_value_changes))");
      const { rows } = await client.query("select * from public.items where slug = 'kitsune'");
      expect(rows).toMatchObject([{ current_value: "640M", current_low: "600M", current_high: "700M" }]);
    });
  });
});

describe("without an editor's range", () => {
  test.each([
    [0, 605e6, 675e6],
    [6, 605e6, 675e6],
    [7, 600e6, 680e6],
    [30, 580e6, 700e6],
    [1000, 480e6, 800e6],
  ])("a value checked %d days ago ranges from %d to %d", async (days, low, high) => {
    await as("Eve", async (client) => {
      await change(client, "current_value = '640M'");
      await checkedAgo(client, "visitor", days);
      expect(await rangesOf(client)).toMatchObject({ regular: { low, high, is_set: false } });
    });
  });

  test("an unpriced item has no range, and zero has the range zero", async () => {
    await as("Eve", async (client) => {
      await change(client, "current_value = '0', permanent_value = null");
      expect(await rangesOf(client)).toEqual({
        regular: expect.objectContaining({ low: 0, high: 0, spread: 0 }),
      });
      await change(client, "current_value = 'N/A'");
      expect(await rangesOf(client)).toEqual({});
    });
  });
});

test.each([
  ["7 days", 3, 0.15, "high"],
  ["8 days", 3, 0.15, "medium"],
  ["7 days", 2, 0.15, "medium"],
  ["7 days", 3, 0.16, "medium"],
  ["30 days", 1, 0.5, "medium"],
  ["31 days", 9, 0, "low"],
  ["1 day", 0, 0, "low"],
  ["1 day", 9, 0.51, "low"],
])("checked %s ago, %d observations, %d apart: %s", async (age, observations, spread, confidence) => {
  await as("Eve", async (client) => {
    await becomeOwner(client);
    await client.query("set local session_replication_role = replica");
    await client.query(
      `with kitsune as (select id from public.items where slug = 'kitsune'),
         changes as (delete from public.item_value_changes where item_id in (select id from kitsune)),
         checks as (delete from public.item_value_checks where item_id in (select id from kitsune))
       update public.items set current_value = '100M', current_low = $2, values_checked_at = now() - $1::interval
       where slug = 'kitsune'`,
      [age, `${Math.round(100 - 100 * spread)}M`],
    );
    await client.query(
      `insert into public.item_value_checks (item_id, checked_at)
       select id, now() - days * interval '1 day' from public.items, generate_series(1, $1::integer) as days
       where slug = 'kitsune'`,
      [observations],
    );
    await client.query("set local session_replication_role = origin");
    expect((await rangesOf(client)).regular).toMatchObject({ observations, spread, confidence });
  });
});

test("checks of one day count once, so that nobody gains confidence by confirming again", async () => {
  await as("Eve", async (client) => {
    const { observations } = (await rangesOf(client)).regular as { observations: number };
    for (let times = 0; times < 3; times += 1)
      await client.query(
        "insert into public.item_value_checks (item_id) select id from public.items where slug = 'kitsune'",
      );
    expect((await rangesOf(client)).regular?.observations).toBe(observations + 1);
  });
});

test("observations and checks count, as does their spread", async () => {
  await as("Eve", async (client) => {
    await change(client, "current_value = '640M'");
    await change(client, "current_value = '600M'");
    await change(client, "current_value = '640M'");
    await client.query(
      "insert into public.item_value_checks (item_id) select id from public.items where slug = 'kitsune'",
    );
    const { regular } = await rangesOf(client);
    expect(regular).toMatchObject({ spread: 0.0625, confidence: "high" });
    expect(regular?.observations).toBeGreaterThanOrEqual(3);
  });
});
