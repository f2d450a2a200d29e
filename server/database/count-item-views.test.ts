import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { countItemViews } from "./count-item-views.ts";

let database: TestDatabase;
let owner: Client;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = new Client({ connectionString: database.url });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

const count = (report: (line: string) => void = (line) => expect.fail(line)) =>
  countItemViews(database.url, report, 20);
const ask = (url: string, { method = "GET", referer }: { method?: string; referer?: string } = {}) => ({
  method,
  url,
  headers: referer ? { referer } : {},
});
const readViews = async () =>
  (
    await owner.query(
      `select slug, views::integer, viewed_on = (now() at time zone 'UTC')::date as today
       from private.item_views join public.items on items.id = item_id order by views desc, slug`,
    )
  ).rows;

test("pages and the data of navigations count, by whichever process, and nothing else does", async () => {
  const processes = [count(), count()];
  for (const views of processes) {
    views.note(ask("/fruits/kitsune"));
    views.note(ask("/fruits/kitsune?mode=permanent"));
    views.note(ask("/fruits/kitsune.data?_routes=x", { referer: "https://values.example/values" }));
    views.note(ask("/fruits/buddha.data"));
    views.note(ask("/fruits/nothing-of-that-name"));
    // A page already open that reloads its data.
    views.note(
      ask("/fruits/kitsune.data", { referer: "https://values.example/fruits/kitsune?mode=permanent" }),
    );
    views.note(ask("/fruits/kitsune", { method: "HEAD" }));
    views.note(ask("/values"));
  }
  const today = true;
  const seen = [
    { slug: "kitsune", views: 6, today },
    { slug: "buddha", views: 2, today },
  ];
  await expect.poll(readViews).toEqual(seen);
  processes[0]?.note(ask("/fruits/buddha"));
  await Promise.all(processes.map((views) => views.close()));
  expect(await readViews()).toEqual([seen[0], { slug: "buddha", views: 3, today }]);
});

test("what could not be written is written later, and told once", async () => {
  await owner.query("alter table private.item_views rename to away");
  const lines: string[] = [];
  const views = count((line) => lines.push(line));
  views.note(ask("/fruits/kitsune"));
  await expect.poll(() => lines).toHaveLength(1);
  await expect
    .poll(async () => {
      const { rows } = await owner.query(
        "select sum(xact_rollback)::integer as failed from pg_stat_database where datname = current_database()",
      );
      return rows[0].failed;
    })
    .toBeGreaterThan(1);
  await owner.query("alter table private.away rename to item_views");
  views.note(ask("/fruits/kitsune"));
  await expect.poll(readViews).toMatchObject([{ slug: "kitsune", views: 2 }]);
  await views.close();
  expect(lines).toHaveLength(1);
});

test("seven days are kept, and nobody but the owner reads or writes them", async () => {
  await owner.query(
    `insert into private.item_views
     select id, (now() at time zone 'UTC')::date - day, 1 from public.items, generate_series(0, 9) as day where slug = 'kitsune'`,
  );
  await owner.query("select private.forget_item_views()");
  expect(await readViews()).toHaveLength(7);
  for (const role of ["anon", "authenticated", "service_role"]) {
    for (const act of [
      "select * from private.item_views",
      "select private.add_item_views('{kitsune}', '{9}')",
    ]) {
      await owner.query("begin");
      await owner.query(`set local role ${role}`);
      await expect(owner.query(act), `${role}: ${act}`).rejects.toMatchObject({ code: "42501" });
      await owner.query("rollback");
    }
  }
});
