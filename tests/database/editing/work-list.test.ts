import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";
import { Ana, Ben, Eve, editorsDatabase, makeNedExperienced, Ned, publish } from "./editors.ts";

const { as } = editorsDatabase(`
  -- Three items were looked at two weeks ago, all others just now.
  update public.items set values_checked_at =
    case when slug in ('buddha', 'rocket', 'spin') then now() - interval '14 days' else now() end`);

type Work = {
  slug: string;
  score: number;
  weeks: number;
  traders: number;
  views: number;
  spread: number;
  game_update: string | null;
  waiting: number;
  due: number;
};

/** The work list of the client's current user. */
async function listWork(client: Client, most = 200): Promise<Work[]> {
  const { rows } = await attempt(
    client,
    `select slug, score::float, weeks::float, traders, views, spread::float, game_update, waiting, due
     from public.list_work($1) with ordinality as work join public.items on items.id = work.item_id order by ordinality`,
    [most],
  );
  return rows;
}

const orderOf = async (client: Client) => (await listWork(client)).map(({ slug }) => slug);
const find = async (client: Client, slug: string) =>
  (await listWork(client)).find((work) => work.slug === slug);

/** Runs a statement as the table owner; the client then acts as this user again. */
async function meanwhile(client: Client, person: Person, statement: string, values: unknown[] = []) {
  await becomeOwner(client);
  await client.query(statement, values);
  await become(client, person);
}

/** Saves `count` trades of these items for a user; the client then acts as Ned. */
const saveTrades = (client: Client, userId: string, slugs: string[], count: number, age = "1 day") =>
  meanwhile(
    client,
    "Ned",
    `insert into public.trade_history (user_id, your_items, their_items, created_at)
     select $1, entries, entries, now() - $4::interval
     from generate_series(1, $3), (
       select jsonb_agg(jsonb_build_object('id', id)) as entries from public.items where slug = any ($2)
     ) as chosen`,
    [userId, slugs, count, age],
  );

describe("access", () => {
  test.each(["visitor", "Ana", "Mia"] as const)("is refused to %s", async (person) => {
    await as(person, async (client) => {
      for (const call of ["public.list_work()", "public.list_editor_days(now())"]) {
        await expect(attempt(client, `select * from ${call}`), call).rejects.toMatchObject({ code: "42501" });
      }
    });
  });

  test("gives an editor counts, but no trades", async () => {
    await as("Ned", async (client) => {
      await saveTrades(client, Ana.id, ["buddha"], 1);
      expect((await find(client, "buddha"))?.traders).toBe(1);
      expect((await client.query("select from public.trade_history")).rowCount).toBe(0);
      await expect(attempt(client, "select * from private.count_item_traders()")).rejects.toMatchObject({
        code: "42501",
      });
    });
  });
});

describe("the order", () => {
  test("lists items that nobody has checked for a day, longest first", async () => {
    await as("Ned", async (client) => {
      await meanwhile(
        client,
        "Ned",
        "update public.items set values_checked_at = now() - interval '28 days' where slug = 'spin'",
      );
      await meanwhile(
        client,
        "Ned",
        "update public.items set values_checked_at = now() - interval '25 hours' where slug = 'kitsune'",
      );
      const work = await listWork(client);
      expect(work[0]).toMatchObject({
        slug: "spin",
        weeks: 4,
        traders: 0,
        game_update: null,
        waiting: 0,
        due: 4,
      });
      expect(work.at(-1)?.slug).toBe("kitsune");
      expect(await listWork(client, 1)).toMatchObject([{ slug: "spin", due: 4 }]);
    });
  });

  test("returns each factor of the score, and multiplies them", async () => {
    await as("Ned", async (client) => {
      const before = await find(client, "buddha");
      expect(before?.score).toBeCloseTo(2 * (1 + (before?.spread ?? 0)), 2);
      await meanwhile(
        client,
        "Ned",
        "update public.items set current_low = '8M', current_high = '12M' where slug = 'buddha'",
      );
      await saveTrades(client, Ana.id, ["buddha"], 1);
      await saveTrades(client, Ben.id, ["buddha", "rocket"], 1);
      await meanwhile(
        client,
        "Ned",
        `with made as (insert into public.game_updates (name) values ('Update 26') returning id)
         insert into public.game_update_items select made.id, items.id from made, public.items where slug = 'buddha'`,
      );
      await meanwhile(
        client,
        "Ned",
        `insert into private.item_views
         select id, (now() at time zone 'UTC')::date - day, 33 from public.items, unnest(array[0, 3, 6, 7]) as day
         where slug = 'buddha'`,
      );
      const after = await find(client, "buddha");
      expect(after).toMatchObject({ weeks: 2, traders: 2, views: 99, spread: 0.4, game_update: "Update 26" });
      expect(after?.score).toBeCloseTo(2 * (1 + Math.log(3)) * 3 * 1.4 * 2, 2);
      expect(await orderOf(client)).toEqual(["buddha", "rocket", "spin"]);
    });
  });

  test("counts each trader once, and ignores trades older than a month", async () => {
    await as("Ned", async (client) => {
      await saveTrades(client, Ana.id, ["rocket"], 50);
      await saveTrades(client, Ben.id, ["spin"], 1);
      await saveTrades(client, Eve.id, ["spin"], 1);
      await saveTrades(client, Ben.id, ["buddha"], 3, "31 days");
      expect(await listWork(client)).toMatchObject([
        { slug: "spin", traders: 2 },
        { slug: "rocket", traders: 1 },
        { slug: "buddha", traders: 0 },
      ]);
    });
  });

  test("returns the number of an item's waiting values; for their proposer the item is not due", async () => {
    await as("Ned", async (client) => {
      await publish(client, [{ slug: "buddha", value: "11M", was: "10M" }]);
      expect(await find(client, "buddha")).toBeUndefined();
      await become(client, "Eve");
      expect((await find(client, "buddha"))?.waiting).toBe(1);
    });
  });
});

describe("completed work", () => {
  const skip = (client: Client, slug: string, by: string = Ned.id) =>
    attempt(
      client,
      "insert into public.work_skips (editor_id, item_id) select $2, id from public.items where slug = $1",
      [slug, by],
    );

  test("checked and skipped items are not due, skipped ones only for the editor who skipped them", async () => {
    await as("Ned", async (client) => {
      await client.query(
        "insert into public.item_value_checks (item_id) select id from public.items where slug = 'buddha'",
      );
      await skip(client, "spin");
      expect(await orderOf(client)).toEqual(["rocket"]);
      await become(client, "Eve");
      expect((await orderOf(client)).sort()).toEqual(["rocket", "spin"]);
      expect((await client.query("select from public.work_skips")).rowCount).toBe(0);
      await become(client, "Ned");
      await client.query("delete from public.work_skips");
      expect((await orderOf(client)).sort()).toEqual(["rocket", "spin"]);
    });
  });

  test("a skipped item comes back a day later", async () => {
    await as("Ned", async (client) => {
      await skip(client, "spin");
      await meanwhile(client, "Ned", "update public.work_skips set skipped_at = now() - interval '25 hours'");
      expect(await orderOf(client)).toContain("spin");
    });
  });

  test("nobody can skip in another's name, nor without the role", async () => {
    await as("Ned", async (client) => {
      await expect(skip(client, "spin", Eve.id)).rejects.toMatchObject({ code: "42501" });
      await meanwhile(client, "Ned", "delete from public.user_roles where user_id = $1", [Ned.id]);
      await expect(skip(client, "spin")).rejects.toMatchObject({ code: "42501" });
    });
  });

  test("each editor's day is counted: checked, changed, skipped", async () => {
    await as("Ned", async (client) => {
      await makeNedExperienced(client, "Ned");
      await meanwhile(client, "Ned", "update public.value_proposals set state = 'rolled_back'");
      await meanwhile(client, "Ned", "update private.settings set new_editor_changes = 0");
      await client.query(
        "insert into public.item_value_checks (item_id) select id from public.items, generate_series(1, 2) where slug in ('buddha', 'rocket')",
      );
      await publish(client, [
        { slug: "spin", value: "8K", was: "7.5K" },
        { slug: "rocket", value: "20K", was: "5K" },
      ]);
      await skip(client, "kitsune");
      const day = async (since: string) =>
        (
          await client.query(
            `select username, checked, changed, skipped from public.list_editor_days(${since})`,
          )
        ).rows;
      expect(await day("now() - interval '1 hour'")).toEqual([
        { username: "QuickLynx500", checked: 2, changed: 2, skipped: 1 },
      ]);
      expect(await day("now() + interval '1 second'")).toEqual([
        { username: "QuickLynx500", checked: 0, changed: 0, skipped: 0 },
      ]);
      await become(client, "Eve");
      expect((await day("now() - interval '1 hour'")).map(({ username }) => username)).toEqual([
        "WiseHeron300",
        "QuickLynx500",
      ]);
    });
  });
});
