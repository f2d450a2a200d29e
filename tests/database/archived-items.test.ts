import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

const PICTURE = "/storage/v1/object/public/item-images/fox.png";

/** All rows about Kitsune, in full; the client then acts as Eve again. */
async function readAll(client: Client) {
  await become(client, "server");
  const one = async (query: string) =>
    (await client.query(`select coalesce(jsonb_agg(r), '[]') from (${query}) r`)).rows[0].coalesce;
  const own = "where item_id = (select id from public.items where slug = 'kitsune') order by id";
  const known = {
    items: await one("select * from public.items where slug = 'kitsune'"),
    changes: await one(`select * from public.item_value_changes ${own}`),
    checks: await one(`select * from public.item_value_checks ${own}`),
  };

  await become(client, "Eve");
  return known;
}

/** Gives Kitsune a picture, a change and a check by Eve. */
async function prepare(client: Client) {
  await client.query(
    "insert into storage.objects (bucket_id, name, version) values ('item-images', 'fox.png', 'v')",
  );
  await client.query(
    `update public.items set image_url = '${PICTURE}', current_value = '700M', change_reason = 'up',
       custom_fields = '{"custom_origin": "sea"}' where slug = 'kitsune'`,
  );
  await client.query(
    "insert into public.item_value_checks (item_id) select id from public.items where slug = 'kitsune'",
  );
  const [item] = (await client.query("select id from public.items where slug = 'kitsune'")).rows;
  return item.id as string;
}

/** The buckets with the picture. */
const pictures = async (client: Client) =>
  (await client.query("select bucket_id from storage.objects where name = 'fox.png' order by 1")).rows.map(
    ({ bucket_id }) => bucket_id,
  );
const restore = (client: Client, id: string) => client.query("select * from public.restore_item($1)", [id]);

test("nobody, not even a server, adds an item under an archived one's id, which would keep no ledger", async () => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    await client.query("delete from public.items where slug = 'kitsune'");
    await become(client, "server");
    const add =
      "insert into public.items (id, slug, name, current_value) values ($1, 'other', 'Other', '1M')";
    await expect(attempt(client, add, [id])).rejects.toMatchObject({
      code: "23505",
      message: "The id of Other belongs to an archived item: restore that one",
    });
    await become(client, "Eve");
    expect((await restore(client, id)).rowCount).toBe(1);
  });
});

test("a deleted item disappears everywhere, and is restored with every row, picture and timestamp", async () => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    const before = await readAll(client);
    expect(before.changes.length).toBeGreaterThan(2);
    await client.query("delete from public.items where slug = 'kitsune'");
    expect(await readAll(client)).toEqual({ items: [], changes: [], checks: [] });
    const { rows } = await client.query(
      "select name, slug, image_url, archived_by, value_change_count from public.archived_items",
    );
    expect(rows).toEqual([
      {
        name: "Kitsune",
        slug: "kitsune",
        image_url: PICTURE,
        archived_by: ACCOUNTS.Eve.id,
        value_change_count: before.changes.length,
      },
    ]);
    // No longer public.
    expect(await pictures(client)).toEqual(["archived-images"]);

    expect((await restore(client, id)).rows).toMatchObject([{ id, slug: "kitsune" }]);
    const after = await readAll(client);
    // A restore is an edit and sets updated_at, but now() is constant within a transaction.
    expect(after).toEqual(before);
    expect((await client.query("select from public.archived_items")).rowCount).toBe(0);
    expect(await pictures(client)).toEqual(["item-images"]);
    const acts = await client.query(
      "select act, table_name, title from public.admin_acts order by id desc limit 3",
    );
    expect(acts.rows).toEqual([
      { act: "restore", table_name: "items", title: "Kitsune" },
      { act: "delete", table_name: "items", title: "Kitsune" },
      { act: "insert", table_name: "item_value_checks", title: "Kitsune" },
    ]);

    // Its ledger continues, and a new item's first values are recorded as usual.
    await client.query("update public.items set current_value = '1' where slug = 'kitsune'");
    expect((await readAll(client)).changes).toHaveLength(before.changes.length + 1);
    await client.query("insert into public.items (slug, name, current_value) values ('new', 'New', '5')");
    const first =
      "select from public.item_value_changes where item_id = (select id from public.items where slug = 'new')";
    expect((await client.query(first)).rowCount).toBe(1);
  });
});

test.each<Person>(["server", "Eve"])(
  "every item in a bulk delete by %s or the owner is archived",
  async (person) => {
    await as(person, async (client) => {
      const { rowCount } = await client.query("delete from public.items");
      expect((await client.query("select from public.archived_items")).rowCount).toBe(rowCount);
      await becomeOwner(client);
      await client.query("insert into public.items (slug, name) values ('new', 'New')");
      await client.query("delete from public.items");
      expect((await client.query("select from public.archived_items")).rowCount).toBe(Number(rowCount) + 1);
    });
  },
);

test("a table added later with a foreign key to items is archived and restored without extra configuration", async () => {
  await as("server", async (client) => {
    await becomeOwner(client);
    await client.query(
      `create table public.item_votes (
         id uuid primary key default gen_random_uuid(),
         item uuid not null references public.items (id) on delete cascade, vote text);
       insert into public.item_votes (item, vote) select id, 'up' from public.items where slug = 'kitsune'`,
    );
    const [{ id }] = (await client.query("select id from public.items where slug = 'kitsune'")).rows;
    await client.query("delete from public.items where slug = 'kitsune'");
    await become(client, "Eve");
    await restore(client, id);
    await becomeOwner(client);
    expect((await client.query("select item, vote from public.item_votes")).rows).toEqual([
      { item: id, vote: "up" },
    ]);
  });
});

test.each<Person>(["visitor", "Ana"])("%s neither sees nor restores archived items", async (person) => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    await client.query("delete from public.items where slug = 'kitsune'");
    await become(client, person);
    await expect(attempt(client, `select from public.restore_item('${id}')`)).rejects.toMatchObject({
      code: "42501",
    });
    const seen = await attempt(client, "select from public.archived_items").catch(() => ({ rowCount: 0 }));
    expect(seen.rowCount).toBe(0);
  });
});

test("restoring fails with a clear message if the slug was taken meanwhile or the item is no longer archived", async () => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    await client.query("delete from public.items where slug = 'kitsune'");
    await client.query("insert into public.items (slug, name) values ('kitsune', 'Other')");
    await expect(attempt(client, `select from public.restore_item('${id}')`)).rejects.toMatchObject({
      code: "23505",
      message: "Another item has the slug kitsune by now: change that one's slug, then restore Kitsune",
    });
    await client.query("update public.items set slug = 'other' where slug = 'kitsune'");
    await restore(client, id);
    await expect(attempt(client, `select from public.restore_item('${id}')`)).rejects.toMatchObject({
      code: "PT404",
      message: "This item is no longer in the archive",
    });
  });
});

test("its category may be deleted, trades that name it stay, and deleted accounts are cleared as in the ledger", async () => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    const entry = JSON.stringify([{ id, name: "Kitsune", value: "1", viewMode: "regular" }]);
    await client.query(
      "insert into public.trade_history (user_id, your_items, their_items) values ($1, $2, $2)",
      [ACCOUNTS.Eve.id, entry],
    );
    const trades = "select your_items from public.trade_history";
    const saved = (await client.query(trades)).rows;
    const [{ category_id: category }] = (
      await client.query("select category_id from public.items where id = $1", [id])
    ).rows;
    await client.query("delete from public.items where category_id = $1", [category]);
    expect((await client.query("delete from public.categories where id = $1", [category])).rowCount).toBe(1);
    expect((await client.query(trades)).rows).toEqual(saved);
    await becomeOwner(client);
    const archived = "select archived_by, records::text, people from public.archived_items where id = $1";
    const read = async () => (await client.query(archived, [id])).rows[0];
    // As in an archive from before its people were listed.
    await client.query("update public.archived_items set people = '{}'");
    await client.query("update public.archived_items set records = records");
    expect((await read()).people).toEqual([ACCOUNTS.Eve.id]);
    await client.query("delete from auth.users where id = $1", [ACCOUNTS.Eve.id]);
    const { records, ...forgotten } = await read();
    expect(forgotten).toEqual({ archived_by: null, people: [] });
    expect(records).not.toContain(ACCOUNTS.Eve.id);
    await become(client, "server");
    expect((await restore(client, id)).rows[0].category_id).toBe(null);
    const { changes, checks } = await readAll(client);
    expect(changes.at(-1)).toMatchObject({ new_value: "700M", changed_by: null });
    expect(checks).toMatchObject([{ checked_by: null }]);
  });
});

test.each([
  { archive: "an archive", add: "records" },
  {
    archive: "an archive of a release that kept skips",
    add: `records || jsonb_build_object('public.work_skips', jsonb_build_array(jsonb_build_object(
      'editor_id', null, 'item_id', id, 'skipped_on', '2026-11-01', 'skipped_at', '2026-11-01')))`,
  },
])("$archive of an item that an editor skipped whose account was deleted is restored", async ({ add }) => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    await client.query("insert into public.work_skips (item_id) values ($1)", [id]);
    await client.query("delete from public.items where id = $1", [id]);
    await becomeOwner(client);
    await client.query("delete from auth.users where id = $1", [ACCOUNTS.Eve.id]);
    await client.query(`update public.archived_items set records = ${add}`);
    await become(client, "server");
    expect((await restore(client, id)).rows).toMatchObject([{ id }]);
    expect((await readAll(client)).changes.length).toBeGreaterThan(2);
  });
});

test("a former slug that another item left since stays that one's", async () => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    await client.query("update public.items set slug = 'nine-tails' where id = $1", [id]);
    await client.query("update public.items set slug = 'fox' where id = $1", [id]);
    await client.query("delete from public.items where id = $1", [id]);
    const [other] = (
      await client.query("insert into public.items (slug, name) values ('nine-tails', 'Other') returning id")
    ).rows;
    await client.query("update public.items set slug = 'other' where id = $1", [other.id]);
    await restore(client, id);
    expect((await client.query("select slug, item_id from public.former_slugs order by slug")).rows).toEqual([
      { slug: "kitsune", item_id: id },
      { slug: "nine-tails", item_id: other.id },
    ]);
  });
});

test("the picture is deleted when the item leaves the archive for good", async () => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    await client.query("delete from public.items where slug = 'kitsune'");
    await becomeOwner(client);
    await client.query("delete from public.archived_items where id = $1", [id]);
    expect(await pictures(client)).toEqual([]);
  });
});

test("a picture is public as long as an item shows it, archived or not when a file took its name", async () => {
  await as("Eve", async (client) => {
    const id = await prepare(client);
    const add = (slug: string) =>
      client.query("insert into public.items (slug, name, image_url) values ($1, 'Other', $2)", [
        slug,
        PICTURE,
      ]);
    const upload =
      "insert into storage.objects (bucket_id, name, version) values ('item-images', 'fox.png', 'v')";
    await add("other");
    await client.query("delete from public.items where slug = 'kitsune'");
    expect(await pictures(client)).toEqual(["item-images"]);
    await client.query("update public.items set image_url = null where slug = 'other'");
    expect(await pictures(client)).toEqual(["archived-images"]);
    await client.query(upload);
    await add("third");
    await client.query("delete from public.items where slug = 'third'");
    expect(await pictures(client)).toEqual(["archived-images"]);
    await client.query(upload);
    await restore(client, id);
    expect(await pictures(client)).toEqual(["archived-images", "item-images"]);
    await becomeOwner(client);
    await client.query("delete from public.items where slug = 'kitsune'");
    await client.query("delete from public.archived_items");
    expect(await pictures(client)).toEqual([]);
  });
});
