import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { EVERYTHING } from "#app/routes/admin/admin-tabs.tsx";
import { ownDatabase } from "#tests/helpers/own-database.ts";

const database = ownDatabase();
const root = resolve(import.meta.dirname, "../..");
const READ = /\buseRead\w*\(\s*\["(\w+)"/g;

/** Published tables that the panels read and do not follow. */
const NOT_FOLLOWED = [
  // Around a reported message, as they were.
  "chat_messages",
  // Each changes with its item.
  "item_value_changes",
];

async function readPublished(): Promise<string[]> {
  const { rows } = await database.owner.query(
    "select tablename as name from pg_publication_tables where pubname = 'supabase_realtime'",
  );
  return rows.map(({ name }) => name);
}

test("the admin panels follow published tables only", async () => {
  expect(await readPublished()).toEqual(expect.arrayContaining([...EVERYTHING.tables]));
});

test("the admin panels follow every published table that they read", async () => {
  const files = globSync("app/routes/admin/**/*.{ts,tsx}", { cwd: root });
  const read = files.flatMap((file) =>
    [...readFileSync(resolve(root, file), "utf8").matchAll(READ)].map(([, table = ""]) => table),
  );
  expect(read).toContain("editor_names");
  const published = new Set(await readPublished());
  const missed = new Set(read.filter((name) => published.has(name)));
  for (const table of EVERYTHING.tables) missed.delete(table);
  expect([...missed].toSorted()).toEqual(NOT_FOLLOWED);
});
