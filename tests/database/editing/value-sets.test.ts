import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";
import { draft, Eve, editorsDatabase, Ned, publish, readItem, readLedger, readProposals } from "./editors.ts";

const { asNed } = editorsDatabase();

/** Calls an API function as this user and returns its rows. */
async function call(client: Client, person: Person, name: string, ...values: unknown[]) {
  await become(client, person);
  const places = values.map((_, index) => `$${index + 1}`);
  const { rows } = await attempt(client, `select * from public.${name}(${places})`, values);
  return rows;
}

const LARGE = [{ slug: "buddha", value: "30M", was: "10M" }];
const idsOf = async (client: Client, state = "waiting") =>
  (await readProposals(client, state)).map(({ id }) => id);

describe("the second person", () => {
  test("approves, which publishes the change in the proposer's name", async () => {
    await asNed(async (client) => {
      await publish(client, LARGE, { evidence: "https://example.org/a" });
      const ids = await idsOf(client);
      expect(await call(client, "Eve", "approve_proposals", ids, "Looks right")).toMatchObject([
        { id: ids[0], outcome: "published" },
      ]);
      expect(await readItem(client, "buddha")).toMatchObject({ current_value: "30M", previous_value: "10M" });
      expect(await readLedger(client, "buddha", "Eve")).toMatchObject([
        {
          reason: "Seen in ten trades",
          evidence_url: "https://example.org/a",
          changed_by: Ned.id,
          changed_as: "editor",
          is_seconded: true,
        },
      ]);
      // Again, as after a lost answer; to another person it is decided already.
      expect(await call(client, "Eve", "approve_proposals", ids)).toMatchObject([{ outcome: "published" }]);
      expect(await call(client, "Eve", "reject_proposals", ids, "No")).toMatchObject([
        { outcome: "decided" },
      ]);
      expect(await call(client, "Ned", "approve_proposals", ids)).toMatchObject([{ outcome: "decided" }]);
    });
  });

  test("cannot be the proposer, a new editor or anyone without the role", async () => {
    await asNed(async (client) => {
      await publish(client, LARGE);
      const ids = await idsOf(client);
      expect(await call(client, "Ned", "approve_proposals", ids)).toMatchObject([{ outcome: "own" }]);
      expect(await call(client, "Ned", "reject_proposals", ids, "No")).toMatchObject([{ outcome: "own" }]);
      expect(await idsOf(client)).toEqual(ids);
      for (const person of ["Ana", "visitor"] as const) {
        for (const [name, note] of [["approve_proposals"], ["reject_proposals", "No"]]) {
          const asked = call(client, person, name as string, ids, ...(note ? [note] : []));
          await expect(asked).rejects.toMatchObject({ code: "42501" });
        }
      }
      await becomeOwner(client);
      await client.query(
        "insert into public.user_roles (user_id, role) select id, 'editor' from public.profiles where username = 'CalmPanda200'",
      );
      await expect(call(client, "Ben", "approve_proposals", ids)).rejects.toMatchObject({
        message: "Your own changes still wait for a second person, so you can't be one yet",
      });
      await becomeOwner(client);
      for (const change of ["decided_by = proposed_by", "new_value = '1'", `proposed_by = '${Eve.id}'`]) {
        const forged = attempt(client, `update public.value_proposals set ${change} where id = any ($1)`, [
          ids,
        ]);
        await expect(forged, change).rejects.toBeDefined();
      }
    });
  });

  test("is told if the value was changed meanwhile, and it is not overwritten", async () => {
    await asNed(async (client) => {
      await publish(client, LARGE);
      const ids = await idsOf(client);
      await become(client, "Eve");
      await client.query("update public.items set current_value = '12M' where slug = 'buddha'");
      expect(await call(client, "Eve", "approve_proposals", ids)).toMatchObject([
        { outcome: "changed_meanwhile" },
      ]);
      expect(await readItem(client, "buddha")).toMatchObject({ current_value: "12M" });
      expect(await idsOf(client)).toEqual(ids);
    });
  });

  test("decides several at once, and is told of each that failed", async () => {
    await asNed(async (client) => {
      const cells: { slug: string; value: string; was: string }[] = [];
      for (const slug of ["buddha", "rocket", "spin", "spike"])
        cells.push({ slug, value: "900B", was: (await readItem(client, slug)).current_value });
      await publish(client, cells);
      const ids = await idsOf(client);
      expect(ids).toHaveLength(4);
      const [buddha, rocket, spin, spike] = ids;
      await become(client, "Eve");
      await client.query("update public.items set current_value = '12M' where slug = 'buddha'");
      await call(client, "Eve", "reject_proposals", [rocket], "No");
      await publish(client, [
        { slug: "love", value: "900B", was: (await readItem(client, "love")).current_value },
      ]);
      const own = (await idsOf(client)).at(-1);
      expect(await call(client, "Eve", "approve_proposals", [...ids, own, 0], "All seen")).toMatchObject([
        { id: buddha, outcome: "changed_meanwhile", set_id: null },
        { id: rocket, outcome: "decided" },
        { id: spin, outcome: "published" },
        { id: spike, outcome: "published" },
        { id: own, outcome: "own" },
        { id: "0", outcome: "gone" },
      ]);
      expect(await call(client, "Eve", "reject_proposals", [buddha, spin, own, 0], "Too much")).toEqual([
        { id: "0", outcome: "gone" },
        { id: buddha, outcome: "rejected" },
        { id: spin, outcome: "decided" },
        { id: own, outcome: "own" },
      ]);
      await become(client, "Ned");
      const { rows } = await client.query(
        "select state, decision_note from public.value_proposals where id = any ($1) order by id",
        [ids],
      );
      expect(rows).toEqual([
        { state: "rejected", decision_note: "Too much" },
        { state: "rejected", decision_note: "No" },
        { state: "published", decision_note: "All seen" },
        { state: "published", decision_note: "All seen" },
      ]);
    });
  });

  test("rejects with a note, which is final, as is a withdrawal", async () => {
    await asNed(async (client) => {
      await publish(client, LARGE);
      const ids = await idsOf(client);
      await expect(call(client, "Eve", "reject_proposals", ids, " ")).rejects.toMatchObject({
        code: "23514",
      });
      expect(await call(client, "Eve", "reject_proposals", ids, "Only one trade")).toEqual([
        { id: ids[0], outcome: "rejected" },
      ]);
      expect(await call(client, "Eve", "reject_proposals", ids, "Only one trade")).toMatchObject([
        { outcome: "rejected" },
      ]);
      expect(await call(client, "Eve", "approve_proposals", ids)).toMatchObject([{ outcome: "decided" }]);
      await become(client, "Ned");
      const { rows } = await client.query(
        "select state, decision_note, decided_by from public.value_proposals where id = any ($1)",
        [ids],
      );
      expect(rows).toEqual([{ state: "rejected", decision_note: "Only one trade", decided_by: Eve.id }]);
      expect(await call(client, "Ned", "withdraw_proposals", ids)).toEqual([{ withdraw_proposals: 0 }]);

      await publish(client, LARGE);
      const again = await idsOf(client);
      expect(await call(client, "Eve", "withdraw_proposals", again)).toEqual([{ withdraw_proposals: 0 }]);
      expect(await call(client, "Ned", "withdraw_proposals", again)).toEqual([{ withdraw_proposals: 1 }]);
      expect(await call(client, "Eve", "approve_proposals", again)).toMatchObject([{ outcome: "decided" }]);
    });
  });
});

describe("a set", () => {
  const DAY = [
    { slug: "buddha", value: "11M", was: "10M" },
    { slug: "buddha", field: "permanent_value", value: "2B", was: "1.91B" },
    { slug: "rocket", value: "5.5K", was: "5K" },
    { slug: "rocket", field: "demand", value: "medium", was: "low" },
  ];

  async function begin(client: Client, cells = DAY): Promise<string> {
    const [{ create_value_set: id }] = await call(client, "Ned", "create_value_set", " Update 25 ");
    const outcomes = await draft(client, id, cells);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(cells.map(() => "drafted"));
    return id;
  }
  const stateOf = async (client: Client, id: string) =>
    (await client.query("select name, state, planned_for, fault from public.value_sets where id = $1", [id]))
      .rows[0];
  const valuesNow = async (client: Client) => {
    const [buddha, rocket] = [await readItem(client, "buddha"), await readItem(client, "rocket")];
    return [buddha.current_value, buddha.permanent_value, rocket.current_value, rocket.demand];
  };
  const BEFORE = DAY.map(({ was }) => was);
  const AFTER = DAY.map(({ value }) => value);

  test("is created once with an id, also if that is asked for again", async () => {
    await asNed(async (client) => {
      const id = "5e000000-0000-4000-8000-000000000001";
      for (let attempt = 0; attempt < 2; attempt += 1)
        expect(await call(client, "Ned", "create_value_set", "Update 26", id)).toEqual([
          { create_value_set: id },
        ]);
      expect((await client.query("select name from public.value_sets")).rows).toEqual([
        { name: "Update 26" },
      ]);
    });
  });

  test("is published and taken back as one, restoring exact values as further changes", async () => {
    await asNed(async (client) => {
      const id = await begin(client);
      const before = [await readItem(client, "buddha"), await readItem(client, "rocket")];
      expect(await valuesNow(client)).toEqual(BEFORE);
      expect(await call(client, "Ned", "publish_value_set", id)).toEqual([{ publish_value_set: 0 }]);
      expect(await valuesNow(client)).toEqual(AFTER);
      expect(await stateOf(client, id)).toMatchObject({ name: "Update 25", state: "published" });
      await expect(call(client, "Ned", "publish_value_set", id)).rejects.toMatchObject({
        code: "PT409",
        message: "This set is published by now",
      });

      expect(await call(client, "Ned", "roll_back_value_set", id, "Wrong day")).toEqual([
        { roll_back_value_set: 4 },
      ]);
      const stamps = { updated_at: "" };
      expect(
        [await readItem(client, "buddha"), await readItem(client, "rocket")].map((item) => ({
          ...item,
          ...stamps,
        })),
      ).toEqual(before.map((item) => ({ ...item, ...stamps })));
      const undone = { reason: "Wrong day", reason_code: "undo", changed_by: Ned.id, changed_as: "editor" };
      expect(await readLedger(client, "buddha", "Ned", 4)).toMatchObject([
        { mode: "regular", old_value: "11M", new_value: "10M", ...undone },
        { mode: "permanent", old_value: "2B", new_value: "1.91B", ...undone },
        { mode: "permanent", old_value: "1.91B", new_value: "2B", reason_code: "game_update" },
        { mode: "regular", old_value: "10M", new_value: "11M" },
      ]);
      await expect(call(client, "Ned", "roll_back_value_set", id)).rejects.toMatchObject({
        message: "This set is rolled back by now",
      });
    });
  });

  test("from one publish_values call is taken back in the same way, by an admin or its publisher", async () => {
    await asNed(async (client) => {
      const [made] = await publish(client, DAY.slice(0, 1));
      await becomeOwner(client);
      await client.query(
        "insert into public.user_roles (user_id, role) select id, 'editor' from public.profiles where username = 'CalmPanda200'",
      );
      await expect(call(client, "Ben", "roll_back_value_set", made?.set_id)).rejects.toMatchObject({
        code: "42501",
      });
      await call(client, "Eve", "roll_back_value_set", made?.set_id);
      expect(await readLedger(client, "buddha", "Eve")).toMatchObject([
        { new_value: "10M", reason: "Taken back", changed_by: Eve.id, changed_as: "admin" },
      ]);
    });
  });

  test("with a value that a second person approved is taken back by an admin only", async () => {
    await asNed(async (client) => {
      const id = await begin(client, [...DAY.slice(1), { slug: "buddha", value: "30M", was: "10M" }]);
      await call(client, "Ned", "publish_value_set", id);
      await call(client, "Eve", "approve_proposals", await idsOf(client));
      await call(client, "Ned", "publish_value_set", id);
      await expect(call(client, "Ned", "roll_back_value_set", id)).rejects.toMatchObject({
        code: "42501",
        message: "Only admins take back what a second person approved",
      });
      expect((await valuesNow(client))[0]).toBe("30M");
      expect(await call(client, "Eve", "roll_back_value_set", id)).toEqual([{ roll_back_value_set: 4 }]);
    });
  });

  test("is not taken back, not even in part, when one value was changed since", async () => {
    await asNed(async (client) => {
      const id = await begin(client);
      await call(client, "Ned", "publish_value_set", id);
      await become(client, "Eve");
      await client.query("update public.items set current_value = '6K' where slug = 'rocket'");
      await expect(call(client, "Ned", "roll_back_value_set", id)).rejects.toMatchObject({
        code: "PT409",
        message: "Changed by someone else in the meantime: Rocket",
      });
      expect((await valuesNow(client))[0]).toBe("11M");
    });
  });

  test("is not published, not even in part, when one value was changed meanwhile", async () => {
    await asNed(async (client) => {
      const id = await begin(client);
      await become(client, "Eve");
      await client.query("update public.items set current_value = '6K' where slug = 'rocket'");
      await expect(call(client, "Ned", "publish_value_set", id)).rejects.toMatchObject({
        code: "PT409",
        message: "Changed by someone else in the meantime: Rocket",
      });
      expect((await valuesNow(client))[0]).toBe("10M");
    });
  });

  test("waits as a whole while one of its values waits for a second person", async () => {
    await asNed(async (client) => {
      const id = await begin(client, [...DAY.slice(1), { slug: "buddha", value: "30M", was: "10M" }]);
      expect(await call(client, "Ned", "publish_value_set", id)).toEqual([{ publish_value_set: 1 }]);
      expect((await valuesNow(client))[2]).toBe("5K");
      const ids = await idsOf(client);
      expect(await call(client, "Eve", "approve_proposals", ids)).toMatchObject([
        { outcome: "approved", set_id: id },
      ]);
      expect((await valuesNow(client))[0]).toBe("10M");
      expect(await call(client, "Ned", "publish_value_set", id)).toEqual([{ publish_value_set: 0 }]);
      expect((await valuesNow(client)).slice(0, 3)).toEqual(["30M", "2B", "5.5K"]);
      expect(await readLedger(client, "buddha", "Ned", 2)).toMatchObject([
        { mode: "regular", is_seconded: true },
        { mode: "permanent", is_seconded: false },
      ]);
    });
  });

  test("holds each value once: an editor's own draft is replaced, another editor's is not", async () => {
    await asNed(async (client) => {
      const id = await begin(client);
      await draft(client, id, [{ slug: "rocket", value: "5.6K", was: "5K" }]);
      expect(await readProposals(client, "draft")).toHaveLength(4);
      await become(client, "Eve");
      expect(await draft(client, id, [{ slug: "rocket", value: "5.7K", was: "5K" }])).toMatchObject([
        { outcome: "refused", why: "Another editor has this value in the set" },
      ]);
      expect(await draft(client, id, [{ slug: "spike", value: "1", was: "0" }])).toMatchObject([
        { outcome: "changed_meanwhile" },
      ]);
    });
  });

  test("is discarded by its creator or an admin, and is then empty", async () => {
    await asNed(async (client) => {
      const id = await begin(client);
      await call(client, "Eve", "discard_value_set", id);
      expect(await stateOf(client, id)).toMatchObject({ state: "discarded" });
      expect(await readProposals(client, "draft")).toEqual([]);
      await expect(call(client, "Ned", "publish_value_set", id)).rejects.toMatchObject({ code: "PT409" });
    });
  });

  test.each(["Ana", "Mia", "visitor"] as const)("is off limits for %s", async (person) => {
    await asNed(async (client) => {
      const id = await begin(client);
      for (const [name, ...rest] of [
        ["create_value_set", "Mine"],
        ["publish_value_set", id],
        ["plan_value_set", id, null],
        ["roll_back_value_set", id],
        ["discard_value_set", id],
      ] as const) {
        await expect(call(client, person, name, ...rest), name).rejects.toMatchObject({ code: "42501" });
      }
    });
  });
});

describe("a planned set", () => {
  test("has its time, refuses a past one, and can be turned back into a draft", async () => {
    await asNed(async (client) => {
      const [{ create_value_set: id }] = await call(client, "Ned", "create_value_set", "Update 25");
      await draft(client, id, [{ slug: "rocket", value: "5.5K", was: "5K" }]);
      await expect(call(client, "Ned", "plan_value_set", id, "2020-01-01")).rejects.toMatchObject({
        code: "23514",
      });
      const soon = new Date(Date.now() + 3_600_000);
      expect(await call(client, "Ned", "plan_value_set", id, soon)).toEqual([{ plan_value_set: 0 }]);
      await becomeOwner(client);
      expect((await client.query("select private.publish_planned_sets() as done")).rows).toEqual([
        { done: 0 },
      ]);
      await call(client, "Ned", "plan_value_set", id, null);
      await client
        .query("select state, planned_for from public.value_sets where id = $1", [id])
        .then(({ rows }) => expect(rows).toEqual([{ state: "draft", planned_for: null }]));
    });
  });

  test("is in the audit log as its editor's, though the server publishes it", async () => {
    await asNed(async (client) => {
      const [{ create_value_set: id }] = await call(client, "Ned", "create_value_set", "Update 25");
      await draft(client, id, [{ slug: "rocket", value: "5.5K", was: "5K" }]);
      await call(client, "Ned", "plan_value_set", id, new Date(Date.now() + 3_600_000));
      await becomeOwner(client);
      await client.query("update public.value_sets set planned_for = now() where id = $1", [id]);
      expect((await client.query("select private.publish_planned_sets() as done")).rows).toEqual([
        { done: 1 },
      ]);
      const { rows } = await client.query(
        "select admin_id, act, title, new ->> 'current_value' as value from public.admin_acts where title = 'Rocket'",
      );
      expect(rows).toEqual([{ admin_id: Ned.id, act: "update", title: "Rocket", value: "5.5K" }]);
    });
  });

  test.each([
    ["40P01", "submitted"],
    ["55P03", "submitted"],
    ["53100", "submitted"],
    ["58030", "submitted"],
    ["22003", "draft"],
    ["23514", "draft"],
  ])("that fails to be published with %s is %s afterwards", async (fault, state) => {
    await asNed(async (client) => {
      const [{ create_value_set: id }] = await call(client, "Ned", "create_value_set", "Update 25");
      await draft(client, id, [{ slug: "rocket", value: "5.5K", was: "5K" }]);
      await call(client, "Ned", "plan_value_set", id, new Date(Date.now() + 3_600_000));
      await becomeOwner(client);
      await client.query(
        `update public.value_sets set planned_for = now() where id = '${id}';
         create function public.fail() returns trigger language plpgsql
           as $$ begin raise exception using errcode = '${fault}', message = 'Broken'; end $$;
         create trigger fail before update on public.items for each row execute function public.fail()`,
      );
      const publishing = attempt(client, "select private.publish_planned_sets() as done");
      if (state === "submitted") await expect(publishing).rejects.toMatchObject({ code: fault });
      else expect((await publishing).rows).toEqual([{ done: 0 }]);
      const { rows } = await client.query("select state, fault from public.value_sets where id = $1", [id]);
      expect(rows).toEqual([{ state, fault: state === "draft" ? "Broken" : null }]);

      await client.query("drop trigger fail on public.items");
      const { rows: next } = await client.query("select private.publish_planned_sets() as done");
      expect(next).toEqual([{ done: state === "submitted" ? 1 : 0 }]);
    });
  });

  test("that fails on account of the system keeps no other set from being published", async () => {
    await asNed(async (client) => {
      const plan = async (slug: string, value: string, was: string) => {
        const [{ create_value_set: id }] = await call(client, "Ned", "create_value_set", slug);
        await draft(client, id, [{ slug, value, was }]);
        await call(client, "Ned", "plan_value_set", id, new Date(Date.now() + 3_600_000));
      };
      await plan("rocket", "5.5K", "5K");
      await plan("buddha", "11M", "10M");
      await becomeOwner(client);
      await client.query(
        `update public.value_sets set planned_for = now() - case name when 'rocket' then interval '1 minute' else '0' end;
         create function public.fail() returns trigger language plpgsql
           as $$ begin raise exception using errcode = '55000', message = 'Broken'; end $$;
         create trigger fail before update on public.items for each row when (new.slug = 'rocket') execute function public.fail()`,
      );
      const publishing = () => attempt(client, "select private.publish_planned_sets() as done");
      expect((await publishing()).rows).toEqual([{ done: 1 }]);
      const { rows } = await client.query("select name, state, fault from public.value_sets order by name");
      expect(rows).toEqual([
        { name: "buddha", state: "published", fault: null },
        { name: "rocket", state: "submitted", fault: null },
      ]);
      await expect(publishing()).rejects.toMatchObject({ code: "55000", message: "Broken" });
    });
  });
});
