import { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { publishPlannedSets } from "./publish-planned-sets.ts";

const database = ownDatabase();
/** Creates a planned set by Eve that is due, with one value for each of these items. */
async function plan(name: string, values: Record<string, [was: string, value: string]>): Promise<string> {
  const { rows } = await database.owner.query(
    `insert into public.value_sets (name, state, planned_for, created_by)
     values ($1, 'submitted', now() - interval '1 second', $2) returning id`,
    [name, ACCOUNTS.Eve.id],
  );
  for (const [slug, [was, value]] of Object.entries(values)) {
    await database.owner.query(
      `insert into public.value_proposals (set_id, item_id, field, old_value, new_value, reason_code, note, state, proposed_by, proposed_as)
       select $1, id, 'current_value', $3, $4, 'game_update', 'Update 25', 'approved', $5, 'admin' from public.items where slug = $2`,
      [rows[0].id, slug, was, value, ACCOUNTS.Eve.id],
    );
  }
  return rows[0].id;
}

const readSet = async (id: string) =>
  (await database.owner.query("select state, fault, published_by from public.value_sets where id = $1", [id]))
    .rows[0];

test("planned sets are published when their time has come, each once by however many processes", async () => {
  const ids = await Promise.all(
    ["buddha", "rocket"].map((slug) =>
      plan(slug, { [slug]: slug === "rocket" ? ["5K", "5.5K"] : ["10M", "11M"] }),
    ),
  );
  const stops = Array.from({ length: 4 }, () =>
    publishPlannedSets(database.url, (line) => expect.fail(line), 20),
  );
  for (const id of ids)
    await expect
      .poll(() => readSet(id))
      .toEqual({ state: "published", fault: null, published_by: ACCOUNTS.Eve.id });
  await Promise.all(stops.map((stop) => stop()));
  const { rows } = await database.owner.query(
    `select new_value, reason, changed_by, changed_as from public.item_value_changes
     where reason_code = 'game_update' order by new_value`,
  );
  const made = { reason: "Update 25", changed_by: ACCOUNTS.Eve.id, changed_as: "admin" };
  expect(rows).toEqual([
    { new_value: "11M", ...made },
    { new_value: "5.5K", ...made },
  ]);
});

test("one of whose values was changed meanwhile is a draft again that says so, and nothing of it is published", async () => {
  const id = await plan("Clash", { spike: ["1", "2"], buddha: ["11M", "12M"] });
  const stop = publishPlannedSets(database.url, (line) => expect.fail(line));
  await expect
    .poll(() => readSet(id))
    .toMatchObject({ state: "draft", fault: "Changed by someone else in the meantime: Spike" });
  await stop();
  const { rows } = await database.owner.query("select current_value from public.items where slug = 'buddha'");
  expect(rows).toEqual([{ current_value: "11M" }]);
});

test("one that waits for a second person is published as soon as that person approved, however late", async () => {
  await database.owner.query("insert into public.user_roles (user_id, role) values ($1, 'editor')", [
    ACCOUNTS.Ben.id,
  ]);
  const id = await plan("Large", { buddha: ["11M", "90M"] });
  const stop = publishPlannedSets(database.url, (line) => expect.fail(line), 20);
  await expect
    .poll(
      async () =>
        (await database.owner.query("select state from public.value_proposals where set_id = $1", [id])).rows,
    )
    .toEqual([{ state: "waiting" }]);
  expect(await readSet(id)).toMatchObject({ state: "submitted" });
  await database.owner.query(
    "update public.value_proposals set state = 'approved', decided_by = $2, decided_at = now() where set_id = $1",
    [id, ACCOUNTS.Ben.id],
  );
  await expect.poll(() => readSet(id)).toMatchObject({ state: "published" });
  await stop();
});

test("all that are due wait for an editor's items before they lock any: neither waits for the other", async () => {
  const { rows: items } = await database.owner.query(
    "select id, slug, current_value from public.items where current_value ~ '^[1-9]0+M$' order by id limit 2",
  );
  const [first, last] = items;
  const ids = [];
  for (const { slug, current_value } of [last, first])
    ids.push(await plan(slug, { [slug]: [current_value, current_value.replace("0M", "1M")] }));
  const editor = new Client({ connectionString: database.url });
  const server = new Client({ connectionString: database.url });
  try {
    await Promise.all([editor.connect(), server.connect()]);
    const { rows } = await server.query("select pg_backend_pid() as pid");
    const lock = "select from public.items where id = $1 for update nowait";
    await editor.query("begin");
    await editor.query(lock, [first.id]);
    const publishing = server.query("select private.publish_planned_sets() as done");
    const waiting = "select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'";
    await expect.poll(async () => (await database.owner.query(waiting, [rows[0].pid])).rowCount).toBe(1);
    await editor.query(lock, [last.id]);
    await editor.query("commit");
    expect((await publishing).rows).toEqual([{ done: 2 }]);
  } finally {
    await Promise.all([editor.end(), server.end()]);
  }
  for (const id of ids) expect(await readSet(id)).toMatchObject({ state: "published" });
});

test("a database that is away is told once, and does not end the process", async () => {
  const lines: string[] = [];
  const stop = publishPlannedSets("postgres://nobody@127.0.0.1:1/none", (line) => lines.push(line), 5);
  await expect.poll(() => lines.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await stop();
  expect(lines).toEqual([expect.stringMatching(/^Planned values could not be published/)]);
});
