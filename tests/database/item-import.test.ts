import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { attempt, become, becomeOwner } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const IMPORT = "select * from public.import_items($1, $2, $3)";
const ID = "90000000-0000-4000-8000-000000000001";

const runImport = (client: Client, changes: unknown[], reason: string | null = null, id = ID) =>
  attempt(client, IMPORT, [JSON.stringify(changes), reason, id]);

const undoImport = (client: Client, id = ID) => attempt(client, "select * from public.undo_import($1)", [id]);

/** A stored item in the form an import accepts, with timestamps as the API returns them. */
async function read(client: Client, slug: string) {
  const { rows } = await client.query("select to_jsonb(items) as item from public.items where slug = $1", [
    slug,
  ]);
  return rows[0]?.item;
}

const newItem = (slug: string) => ({
  name: slug,
  slug,
  rarity: "rare",
  demand: "low",
  type: "fruit",
  is_permanent: false,
  current_value: "5M",
  previous_value: "N/A",
  custom_fields: {},
});

describe("an import is refused as a whole", () => {
  test.each(["visitor", "Ana"] as const)("from %s", async (person) => {
    await as(person, async (client) => {
      await expect(runImport(client, [newItem("stolen")])).rejects.toMatchObject({ code: "42501" });
    });
  });

  test("from a user who has just lost the admin role", async () => {
    await as("Eve", async (client) => {
      await becomeOwner(client);
      await client.query("delete from public.user_roles");
      await become(client, "Eve");
      await expect(runImport(client, [newItem("stolen")])).rejects.toMatchObject({
        code: "42501",
        message: "Only admins import items",
      });
    });
  });

  test("when one row breaks a rule", async () => {
    await as("Eve", async (client) => {
      const rows = [newItem("import-a"), { ...newItem("import-b"), rarity: "epic" }];
      await expect(runImport(client, rows)).rejects.toMatchObject({ constraint: "items_rarity_is_known" });
      expect(await read(client, "import-a")).toBeUndefined();
    });
  });

  test("when an item was changed or deleted since the preview, and says which", async () => {
    await as("Eve", async (client) => {
      const kitsune = await read(client, "kitsune");
      const rows = [
        newItem("import-a"),
        { ...kitsune, updated_at: "2020-01-01T00:00:00Z", current_value: "1M" },
      ];
      await expect(runImport(client, rows)).rejects.toMatchObject({
        code: "PT409",
        message: "Changed by someone else in the meantime: Kitsune",
      });
      const gone = { ...kitsune, id: "10000000-0000-4000-8000-0000000000ff", name: "Gone" };
      await expect(runImport(client, [gone])).rejects.toMatchObject({
        code: "PT409",
        message: "Changed by someone else in the meantime: Gone",
      });
      expect((await read(client, "kitsune")).current_value).toBe("640M");
    });
  });

  test("with more than 5000 items", async () => {
    await as("Eve", async (client) => {
      const rows = Array.from({ length: 5001 }, (_, index) => newItem(`import-${index}`));
      await expect(runImport(client, rows)).rejects.toMatchObject({ code: "23514" });
    });
  });
});

test("a status is imported and taken back; an omitted one is left as it is, and an unknown one is refused", async () => {
  await as("Eve", async (client) => {
    const { rows } = await client.query("select word from public.status_words order by place limit 2");
    const [first, second] = rows.map(({ word }) => word);
    await client.query("update public.items set status = $1 where slug = 'kitsune'", [first]);
    const { status: _, ...silent } = await read(client, "kitsune");
    await runImport(client, [
      { ...silent, demand: "low" },
      { ...newItem("import-a"), status: second },
    ]);
    expect([(await read(client, "kitsune")).status, (await read(client, "import-a")).status]).toEqual([
      first,
      second,
    ]);
    const kitsune = await read(client, "kitsune");
    const again = "90000000-0000-4000-8000-000000000002";
    await runImport(client, [{ ...kitsune, status: second }], null, again);
    expect((await read(client, "kitsune")).status).toBe(second);
    await undoImport(client, again);
    expect((await read(client, "kitsune")).status).toBe(first);
    const now = await read(client, "kitsune");
    await expect(
      runImport(client, [{ ...now, status: "nowhere" }], null, crypto.randomUUID()),
    ).rejects.toMatchObject({
      code: "23503",
    });
  });
});

test("an import adds and changes items, with its reason in the ledger, and is undone exactly", async () => {
  await as("Eve", async (client) => {
    const before = await read(client, "kitsune");
    const { rows } = await runImport(
      client,
      [newItem("import-a"), { ...before, current_value: "700M", permanent_value: "7B", demand: "low" }],
      "Weekly survey",
    );
    expect(rows.map(({ slug, current_value }) => [slug, current_value])).toEqual([
      ["kitsune", "700M"],
      ["import-a", "5M"],
    ]);
    const changed = await read(client, "kitsune");
    const ledger = () =>
      client.query(
        `select new_value, new_previous_value, reason from public.item_value_changes
         where item_id = $1 and changed_at > '2026-08-19' order by id`,
        [before.id],
      );
    expect((await ledger()).rows).toEqual([
      { new_value: "700M", new_previous_value: "640M", reason: "Weekly survey" },
      { new_value: "7B", new_previous_value: "6.24B", reason: "Weekly survey" },
    ]);
    // Columns that the import did not touch are exactly as before.
    expect({ ...changed, updated_at: "", values_checked_at: "" }).toMatchObject({
      custom_fields: before.custom_fields,
      category_id: before.category_id,
      image_url: before.image_url,
    });

    await undoImport(client);
    expect(await read(client, "import-a")).toBeUndefined();
    const { updated_at, ...restored } = await read(client, "kitsune");
    expect(before).toMatchObject(restored);
    expect((await ledger()).rows.map(({ new_value }) => new_value)).toEqual(["700M", "7B", "640M", "6.24B"]);
  });
});

describe("undoing an import is refused as a whole", () => {
  test("when one of its items was edited since, and says which", async () => {
    await as("Eve", async (client) => {
      const kitsune = await read(client, "kitsune");
      await runImport(client, [newItem("import-a"), { ...kitsune, current_value: "700M" }]);
      // now() is constant within a transaction, so the edit's time is set by hand.
      await becomeOwner(client);
      await client.query("alter table public.items disable trigger items_follow_item");
      await client.query("update public.items set updated_at = '2030-01-01' where slug = 'kitsune'");
      await client.query("alter table public.items enable trigger items_follow_item");
      await become(client, "Eve");
      await expect(undoImport(client)).rejects.toMatchObject({
        code: "PT409",
        message: "Changed by someone else in the meantime: Kitsune",
      });
      expect((await read(client, "import-a")).current_value).toBe("5M");
    });
  });

  test("when it is unknown, or no longer stored", async () => {
    await as("Eve", async (client) => {
      await expect(undoImport(client)).rejects.toMatchObject({ code: "PT404" });
      await runImport(client, [newItem("import-a")]);
      await becomeOwner(client);
      await client.query("update public.item_imports set imported_at = now() - interval '31 days'");
      await become(client, "Eve");
      await runImport(client, [newItem("import-b")], null, "90000000-0000-4000-8000-000000000002");
      await expect(undoImport(client)).rejects.toMatchObject({ code: "PT404" });
    });
  });

  test.each(["visitor", "Ana"] as const)("from %s", async (person) => {
    await as(person, async (client) => {
      await expect(undoImport(client)).rejects.toMatchObject({ code: "42501" });
    });
  });
});

test("a thousand items are imported by one statement, well before the timeout", async () => {
  await as("Eve", async (client) => {
    const rows = Array.from({ length: 1000 }, (_, index) => newItem(`import-${index}`));
    // An import with quadratic run time would take minutes; a linear one takes a second.
    await client.query("set statement_timeout = '30s'");
    expect((await runImport(client, rows)).rowCount).toBe(1000);
    await client.query("reset statement_timeout");
  });
});

describe("the picture of an item", () => {
  const address = (file: string) => `https://any.example/storage/v1/object/public/item-images/${file}`;

  async function readFiles(client: Client): Promise<string[]> {
    await becomeOwner(client);
    const { rows } = await client.query("select name from storage.objects order by name");
    await become(client, "Eve");
    return rows.map(({ name }) => name);
  }

  test("is deleted when replaced, but not while another item or an archived one uses it", async () => {
    await as("Eve", async (client) => {
      for (const name of ["a.png", "b.png", "c.png"]) {
        await client.query("insert into storage.objects (bucket_id, name) values ('item-images', $1)", [
          name,
        ]);
      }
      const show = (slug: string, file: string) =>
        client.query("update public.items set image_url = $2 where slug = $1", [slug, address(file)]);
      await show("kitsune", "a.png");
      await show("spin", "b.png");
      await show("dough", "b.png");
      expect(await readFiles(client)).toEqual(["a.png", "b.png", "c.png"]);
      await show("kitsune", "c.png");
      expect(await readFiles(client)).toEqual(["b.png", "c.png"]);
      await client.query("delete from public.items where slug = 'spin'");
      expect(await readFiles(client)).toEqual(["b.png", "c.png"]);
      await client.query("delete from public.items where slug = 'dough'");
      expect(await readFiles(client)).toEqual(["b.png", "c.png"]);
    });
  });

  test("stays while another item shows the same file by another spelling of its address", async () => {
    await as("Eve", async (client) => {
      await client.query("insert into storage.objects (bucket_id, name) values ('item-images', 'a.png')");
      const show = (slug: string, url: string) =>
        client.query("update public.items set image_url = $2 where slug = $1", [slug, url]);
      const rendered = "/storage/v1/render/image/public/item-images/a.png?width=100";
      for (const spelling of [
        `${address("a.png")}?v=2`,
        "/storage/v1/object/public/item-images/a.png",
        rendered,
      ]) {
        await show("kitsune", address("a.png"));
        await show("spin", spelling);
        await client.query("update public.items set image_url = null where slug = 'kitsune'");
        expect(await readFiles(client)).toEqual(["a.png"]);
      }
      await client.query("update public.items set image_url = null where slug = 'spin'");
      expect(await readFiles(client)).toEqual([]);
    });
  });

  test("in another bucket or folder is left alone", async () => {
    await as("Eve", async (client) => {
      await client.query("insert into storage.objects (bucket_id, name) values ('item-images', 'items')");
      await client.query("update public.items set image_url = '/items/kitsune.svg' where slug = 'kitsune'");
      await client.query("update public.items set image_url = null where slug = 'kitsune'");
      expect(await readFiles(client)).toEqual(["items"]);
    });
  });
});
