import { describe, expect, test } from "vitest";
import { GRID_COLUMNS } from "#app/routes/admin/items/grid/model/columns.ts";
import { VALUE_FIELDS } from "#app/routes/admin/items/values/publish-values.ts";
import { attempt, become, becomeOwner } from "#tests/helpers/people.ts";
import { Eve, editorsDatabase, Ned, publish, readItem, readLedger, readProposals } from "./editors.ts";

const { as, asNed } = editorsDatabase();

// Buddha is not among the ten most valuable items.
const BUDDHA = { slug: "buddha", was: "10M" };

test("the items used here have the values that these tests assume", async () => {
  await as("visitor", async (client) => {
    expect(await readItem(client, "buddha")).toMatchObject({ current_value: "10M" });
    expect(await readItem(client, "kitsune")).toMatchObject({ current_value: "640M" });
  });
});

describe("who may not publish", () => {
  test.each(["visitor", "Ana", "Mia"] as const)("%s publishes nothing", async (person) => {
    await as(person, async (client) => {
      await expect(publish(client, [{ ...BUDDHA, value: "11M" }])).rejects.toMatchObject({ code: "42501" });
    });
  });

  test("an editor cannot write values in any other way", async () => {
    await asNed(async (client) => {
      for (const statement of [
        "update public.items set current_value = '1' where slug = 'buddha'",
        "update public.items set name = 'Mine' where slug = 'buddha'",
        "delete from public.items where slug = 'buddha'",
      ]) {
        expect((await client.query(statement)).rowCount, statement).toBe(0);
      }
      for (const statement of [
        "insert into public.items (name, slug) values ('Mine', 'mine')",
        "insert into public.value_proposals (item_id, field, reason_code, state) select id, 'demand', 'other', 'approved' from public.items limit 1",
        "update public.value_proposals set state = 'approved'",
        "insert into public.value_sets (name) values ('Mine')",
        "select public.undo_value_change((select max(id) from public.item_value_changes))",
        "select public.import_items('[]')",
        "select private.publish_planned_sets()",
        "select private.write_proposal(1, null)",
      ]) {
        await expect(attempt(client, statement), statement).rejects.toMatchObject({ code: /42501|PT409/ });
      }
    });
  });

  test("an editor whose role was revoked publishes nothing, even with a token that is still valid", async () => {
    await asNed(async (client) => {
      await becomeOwner(client);
      await client.query("delete from public.user_roles where user_id = $1", [Ned.id]);
      await become(client, "Ned");
      await expect(publish(client, [{ ...BUDDHA, value: "11M" }])).rejects.toMatchObject({
        code: "42501",
        message: "Only editors and admins publish values",
      });
    });
  });

  test("an editor without the second factor, and an editor's application", async () => {
    await asNed(async (client) => {
      const claims = { sub: Ned.id, role: "authenticated", client_id: "app" };
      await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
      await expect(publish(client, [{ ...BUDDHA, value: "11M" }])).rejects.toMatchObject({ code: "42501" });
      await becomeOwner(client);
      await client.query(
        "insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())",
        [Ned.id],
      );
      await become(client, "Ned");
      await expect(publish(client, [{ ...BUDDHA, value: "11M" }])).rejects.toMatchObject({ code: "42501" });
    });
  });
});

describe("a published value", () => {
  test("is in the item and in the ledger, with reason, note, evidence and role", async () => {
    await asNed(async (client) => {
      const evidence = "https://example.org/trades";
      expect(
        await publish(client, [{ ...BUDDHA, value: " 11M " }], { note: " Ten trades ", evidence }),
      ).toMatchObject([
        {
          slug: "buddha",
          field: "current_value",
          outcome: "published",
          why: null,
          set_id: expect.any(String),
        },
      ]);
      expect(await readItem(client, "buddha")).toMatchObject({
        current_value: "11M",
        previous_value: "10M",
        change_reason: null,
      });
      expect(await readLedger(client, "buddha", "Ned")).toEqual([
        {
          mode: "regular",
          old_value: "10M",
          new_value: "11M",
          reason: "Ten trades",
          reason_code: "trades_seen",
          evidence_url: evidence,
          changed_by: Ned.id,
          changed_as: "editor",
          is_seconded: false,
        },
      ]);
      await become(client, "Eve");
      const acts = await client.query(
        "select admin_id, title from public.admin_acts where table_name = 'items' order by id desc limit 1",
      );
      expect(acts.rows).toEqual([{ admin_id: Ned.id, title: "Buddha" }]);
    });
  });

  test("may be any value field, each with its own note", async () => {
    await asNed(async (client) => {
      const outcomes = await publish(client, [
        { ...BUDDHA, value: "11M" },
        { slug: "buddha", field: "demand", value: "low", was: (await readItem(client, "buddha")).demand },
        {
          slug: "buddha",
          field: "beli_price",
          value: (await readItem(client, "buddha")).beli_price,
          was: (await readItem(client, "buddha")).beli_price,
        },
        { slug: "rocket", value: "5.5K", was: "5K", note: "Another reason" },
      ]);
      expect(outcomes.map(({ outcome, why }) => [outcome, why])).toEqual([
        ["published", null],
        ["published", null],
        ["published", "still_right"],
        ["published", null],
      ]);
      expect(await readItem(client, "buddha")).toMatchObject({ current_value: "11M", demand: "low" });
      expect(await readLedger(client, "rocket", "Ned")).toMatchObject([{ reason: "Another reason" }]);
    });
  });

  test("that is unchanged counts as a check, and needs no note", async () => {
    await asNed(async (client) => {
      await becomeOwner(client);
      await client.query("set local session_replication_role = replica");
      await client.query("update public.items set values_checked_at = '2020-01-01' where slug = 'buddha'");
      await client.query("set local session_replication_role = origin");
      await become(client, "Ned");
      expect(
        await publish(client, [{ ...BUDDHA, value: "10M" }], { reason: "still_right", note: null }),
      ).toMatchObject([{ outcome: "published", why: "still_right", set_id: null }]);
      const { rows } = await client.query(
        "select values_checked_at = now() as is_now from public.items where slug = 'buddha'",
      );
      expect(rows).toEqual([{ is_now: true }]);
    });
  });
});

describe("a cell that is not written", () => {
  test("because somebody else changed it meanwhile; the others are published", async () => {
    await asNed(async (client) => {
      const outcomes = await publish(client, [
        { slug: "buddha", value: "11M", was: "9M" },
        { slug: "rocket", value: "5.5K", was: "5K" },
      ]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(["changed_meanwhile", "published"]);
      expect(await readItem(client, "buddha")).toMatchObject({ current_value: "10M" });
    });
  });

  test.each([
    ["current_value", "", "Value is required"],
    ["current_value", "1".repeat(21), "Value is too long"],
    ["demand", "huge", "Invalid demand level"],
    ["name", "Mine", "This is not a value that can be published"],
  ])("%s %s is refused: %s", async (field, value, why) => {
    await asNed(async (client) => {
      expect(await publish(client, [{ slug: "buddha", field, value, was: "10M" }])).toMatchObject([
        { field, outcome: "refused", why },
      ]);
    });
  });

  test("because its item is gone", async () => {
    await asNed(async (client) => {
      expect(await publish(client, [{ slug: "never-was", value: "1", was: "1" }])).toMatchObject([
        { outcome: "refused", why: "This item is gone" },
      ]);
    });
  });

  test.each([
    ["no reason", { reason: null }, "Choose a reason"],
    ["an unknown reason", { reason: "because" }, "Choose a reason"],
    ["a reason that only the database gives", { reason: "undo" }, "Choose a reason"],
    ["no note", { note: "  " }, "Say why in a few words"],
    ["a long note", { note: "a".repeat(201) }, "A note has at most 200 characters"],
    ["evidence that is no secure address", { evidence: "javascript:alert(1)" }, /^Evidence is a link/],
    ["evidence in the clear", { evidence: "http://example.org" }, /^Evidence is a link/],
    ["evidence with a space", { evidence: "https://example.org/ a" }, /^Evidence is a link/],
  ])("because of %s, which refuses the whole call", async (_, said, message) => {
    await asNed(async (client) => {
      await expect(publish(client, [{ ...BUDDHA, value: "11M" }], said)).rejects.toMatchObject({
        code: "23514",
        message: typeof message === "string" ? message : expect.stringMatching(message),
      });
    });
  });

  test("a value listed twice fails the whole call", async () => {
    await asNed(async (client) => {
      const cells = [
        { ...BUDDHA, value: "11M" },
        { ...BUDDHA, value: "12M" },
      ];
      await expect(publish(client, cells)).rejects.toMatchObject({ code: "23514" });
    });
  });
});

describe("a change that waits for a second person", () => {
  test.each([
    ["more than a quarter", "10M", "12.51M", "large"],
    ["losing the price", "10M", "ask me", "large"],
    ["a tenth slipped", "10M", "1M", "large"],
    ["a quarter and no more", "10M", "12.5M", null],
    ["the same, written otherwise", "10M", "10000K", null],
  ])("%s: %s to %s", async (_, was, value, why) => {
    await asNed(async (client) => {
      expect(await publish(client, [{ slug: "buddha", value, was }])).toMatchObject([
        { outcome: why ? "waiting" : "published", why },
      ]);
      expect(await readItem(client, "buddha")).toMatchObject({ current_value: why ? was : value });
    });
  });

  test("a change to one of the ten most valuable items, and not to the eleventh", async () => {
    await asNed(async (client) => {
      const { rows } = await client.query(
        "select slug, current_value as was from public.items order by current_value_number desc nulls last limit 11",
      );
      const outcomes = await publish(
        client,
        rows.map(({ slug, was }) => ({
          slug,
          was,
          value: was.replace(/\d(?=\D*$)/, (d: string) => (d === "9" ? "8" : Number(d) + 1)),
        })),
      );
      expect(outcomes.slice(0, 10).map(({ why }) => why)).toEqual(Array(10).fill("dear"));
      expect(outcomes[10]).toMatchObject({ outcome: "published" });
    });
  });

  test("any change by a new editor; settings define what counts as new, large and most valuable", async () => {
    await as("Ned", async (client) => {
      expect(await publish(client, [{ ...BUDDHA, value: "11M" }])).toMatchObject([
        { outcome: "waiting", why: "new_editor" },
      ]);
      await becomeOwner(client);
      await client.query(
        "update private.settings set new_editor_changes = 0, large_change_percent = 5, dear_items = 0",
      );
      await become(client, "Ned");
      expect(await publish(client, [{ ...BUDDHA, value: "11M" }])).toMatchObject([{ why: "large" }]);
      expect(await publish(client, [{ slug: "kitsune", value: "650M", was: "640M" }])).toMatchObject([
        { outcome: "published" },
      ]);
    });
  });

  test("many small steps of one day", async () => {
    await asNed(async (client) => {
      expect(await publish(client, [{ ...BUDDHA, value: "12M" }])).toMatchObject([{ outcome: "published" }]);
      expect(await publish(client, [{ slug: "buddha", value: "13M", was: "12M" }])).toMatchObject([
        { outcome: "waiting", why: "large" },
      ]);
    });
  });

  test("an admin's large change, unless there is no second person", async () => {
    await as("Eve", async (client) => {
      const cells = [{ slug: "kitsune", value: "900M", was: "640M" }];
      expect(await publish(client, [{ slug: "kitsune", value: "650M", was: "640M" }])).toMatchObject([
        { outcome: "published" },
      ]);
      expect(await publish(client, [{ ...cells[0], was: "650M" } as never])).toMatchObject([
        { why: "large" },
      ]);
      await becomeOwner(client);
      await client.query("delete from public.user_roles where user_id <> $1", [Eve.id]);
      await become(client, "Eve");
      expect(await publish(client, [{ ...cells[0], was: "650M" } as never])).toMatchObject([
        { outcome: "published" },
      ]);
      expect(await readLedger(client, "kitsune", "Eve")).toMatchObject([{ changed_as: "admin" }]);
    });
  });

  test("is visible to editors, with both values, and is replaced when proposed again", async () => {
    await asNed(async (client) => {
      await publish(client, [{ ...BUDDHA, value: "30M" }]);
      await publish(client, [{ ...BUDDHA, value: "28M" }]);
      await become(client, "Eve");
      expect(await readProposals(client)).toMatchObject([
        {
          slug: "buddha",
          field: "current_value",
          old_value: "10M",
          new_value: "28M",
          change_percent: 180,
          why: "large",
        },
      ]);
      expect(await readProposals(client, "withdrawn")).toMatchObject([{ new_value: "30M" }]);
      await become(client, "Ben");
      expect(await readProposals(client)).toEqual([]);
    });
  });
});

test("an admin's form still writes values of any size directly", async () => {
  await as("Eve", async (client) => {
    await client.query(
      "update public.items set current_value = '9B', change_reason = 'Form' where slug = 'buddha'",
    );
    expect(await readLedger(client, "buddha", "Eve")).toMatchObject([
      { reason: "Form", reason_code: null, changed_by: Eve.id, changed_as: "admin" },
    ]);
  });
});

test("the form, the grid, the proposals and the function that publishes know the same fields", async () => {
  await as("visitor", async (client) => {
    await becomeOwner(client);
    const { rows } = await client.query(
      `select attname as field, private.is_range(attname) as is_range,
         private.find_value_fault(attname, '1') is distinct from 'This is not a value that can be published' as is_published,
         (select pg_get_constraintdef(oid) from pg_constraint where conname = 'value_proposals_field_is_known')
           ~ format('''%s''', attname) as is_proposed
       from pg_attribute where attrelid = 'public.items'::regclass and attnum > 0 and not attisdropped`,
    );
    const fields = rows.filter(({ is_published }) => is_published);
    expect(fields.map(({ field }) => field).toSorted()).toEqual(
      GRID_COLUMNS.flatMap(({ field = "checked" }) => (field === "checked" ? [] : [field])).toSorted(),
    );
    expect(rows.filter(({ is_proposed }) => is_proposed)).toEqual(fields);
    expect(
      fields
        .filter(({ is_range }) => !is_range)
        .map(({ field }) => field)
        .toSorted(),
    ).toEqual(VALUE_FIELDS.toSorted());
  });
});
