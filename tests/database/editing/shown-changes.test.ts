import type { Client } from "pg";
import { expect, test } from "vitest";
import { become, becomeOwner } from "#tests/helpers/people.ts";
import { editorsDatabase, makeNedExperienced, publish } from "./editors.ts";

const { as } = editorsDatabase();

const list = async (client: Client, asked: string) =>
  (await client.query(`select * from public.list_changes(${asked})`)).rows;
const cursor = ({ kind, id }: { kind: string; id: string }) => (kind === "value" ? id : `d${id}`);

/** Makes four changes of demand, status and values. */
async function makeChanges(client: Client): Promise<void> {
  await becomeOwner(client);
  await client.query(
    `insert into public.item_demand_changes (item_id, kind, old_word, new_word, changed_at)
     select id, 'demand', 'low', 'high', now() + interval '4 hours' from public.items where slug = 'buddha'
     union all select id, 'status', null, 'hyped', now() + interval '2 hours' from public.items where slug = 'kitsune'`,
  );
  await client.query(
    `insert into public.item_value_changes (item_id, mode, old_value, new_value, changed_at)
     select id, 'regular', '1M', '2M', now() + interval '3 hours' from public.items where slug = 'buddha'
     union all select id, 'permanent', '1M', '1.1M', now() + interval '1 hour' from public.items where slug = 'kitsune'`,
  );
  await become(client, "visitor");
}

const tell = (rows: { kind: string; item_slug: string }[]) =>
  rows.map(({ kind, item_slug }) => `${kind} ${item_slug}`);

test("values, demand and status are listed together by time, or by kind", async () => {
  await as("visitor", async (client) => {
    await makeChanges(client);
    expect(tell(await list(client, "most => 4"))).toEqual([
      "demand buddha",
      "value buddha",
      "status kitsune",
      "value kitsune",
    ]);
    expect(tell(await list(client, "of_kind => 'demand'"))).toEqual(["demand buddha"]);
    expect(tell(await list(client, "of_kind => 'status'"))).toEqual(["status kitsune"]);
    expect(tell(await list(client, "of_kind => 'value', most => 1"))).toEqual(["value buddha"]);
    expect(tell(await list(client, "item_like => 'KITS', most => 2"))).toEqual([
      "status kitsune",
      "value kitsune",
    ]);
    // Only value changes have a mode and a size.
    expect(tell(await list(client, "of_size => 50, most => 1"))).toEqual(["value buddha"]);
    expect(tell(await list(client, "of_mode => 'permanent', most => 1"))).toEqual(["value kitsune"]);
    expect(await list(client, "of_category => 'no-such'")).toEqual([]);
  });
});

test("paging to older changes shows each once, even after one that was deleted with its item", async () => {
  await as("visitor", async (client) => {
    await makeChanges(client);
    const all = await list(client, "most => 1000");
    const found: typeof all = [];
    for (let page = await list(client, "most => 7"); page.length > 0; ) {
      found.push(...page);
      page = await list(client, `most => 7, before => '${cursor(page.at(-1))}'`);
    }
    expect(found.map(cursor)).toEqual(all.map(cursor));
    expect(new Set(found.map(cursor)).size).toBe(found.length);

    const gone = cursor(all[1] ?? {});
    await becomeOwner(client);
    await client.query("delete from public.items where slug = 'buddha'");
    await become(client, "visitor");
    const left = await list(client, "most => 1000");
    const after = await list(client, `most => 1000, before => '${gone}'`);
    expect(after.length).toBeGreaterThan(0);
    expect(left.map(cursor)).toEqual(expect.arrayContaining(after.map(cursor)));
    expect(await list(client, "before => '0'")).toEqual([]);
    expect(await list(client, "before => 'nonsense'")).toEqual([]);
  });
});

test("an editor's demand change is listed with reason, evidence, role and second person", async () => {
  await as("Ned", async (client) => {
    await makeNedExperienced(client, "Ned");
    const { rows } = await client.query("select demand from public.items where slug = 'spin'");
    const was = rows[0].demand;
    const value = was === "low" ? "high" : "low";
    await publish(client, [{ slug: "spin", field: "demand", value, was }], {
      evidence: "https://example.org/a",
    });
    await become(client, "visitor");
    expect(await list(client, "most => 1")).toMatchObject([
      {
        kind: "demand",
        old_value: was,
        new_value: value,
        reason: "Seen in ten trades",
        reason_label: "Trades were seen at this value",
        evidence_url: "https://example.org/a",
        changed_as: "editor",
        is_seconded: false,
        editor_name: null,
      },
    ]);
  });
});

test("if item pages hide the demand, neither demand nor status changes are listed", async () => {
  await as("visitor", async (client) => {
    await makeChanges(client);
    await becomeOwner(client);
    await client.query(
      "insert into public.page_configurations (page_name, visible_fields) values ('fruit_detail', '{name}') on conflict (page_name) do update set visible_fields = '{name}'",
    );
    await become(client, "visitor");
    expect((await list(client, "most => 100")).every(({ kind }) => kind === "value")).toBe(true);
  });
});
