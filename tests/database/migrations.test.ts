import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";

const FILES = readdirSync(new URL("../../supabase/migrations/", import.meta.url)).sort();
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  await applyBackendSchema(database.url);
  folder = mkdtempSync(join(tmpdir(), "migrations-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

async function rowsOf(query: string) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

const write = (file: string, sql: string) => writeFileSync(join(folder, file), sql);
const applyFolder = () => applyMigrations(database.url, pathToFileURL(`${folder}/`));

test("files are named as the Supabase CLI expects, and contain no transaction control", () => {
  for (const file of FILES) expect(file).toMatch(/^\d{14}_[a-z_]+\.sql$/);
  expect(new Set(FILES.map((file) => file.slice(0, 14))).size).toBe(FILES.length);
});

test("two processes that start simultaneously apply each file once, and a third applies none", async () => {
  const [first, second] = await Promise.all([applyMigrations(database.url), applyMigrations(database.url)]);
  expect([...first, ...second]).toEqual(FILES);
  expect(await applyMigrations(database.url)).toEqual([]);
  const recorded = await rowsOf(
    "select version || '_' || name || '.sql' as file, cardinality(statements) as statements from supabase_migrations.schema_migrations order by version",
  );
  expect(recorded).toEqual(FILES.map((file) => ({ file, statements: 1 })));
});

describe("a migration that fails", () => {
  test("is reported with its line, leaves nothing behind, and keeps the earlier ones", async () => {
    write("30000101000000_good.sql", "create table public.good (id int);");
    write(
      "30000101000001_bad.sql",
      "-- Größe 😀\ncreate table public.bad (id int);\nselect * from public.nowhere;\n",
    );
    write("notes.txt", "not a migration");
    await expect(applyFolder()).rejects.toMatchObject({
      name: "StartError",
      message:
        'Migration supabase/migrations/30000101000001_bad.sql, line 3: relation "public.nowhere" does not exist',
    });
    expect(
      await rowsOf(
        "select to_regclass('public.good') is null as good, to_regclass('public.bad') is null as bad",
      ),
    ).toEqual([{ good: false, bad: true }]);
  });

  test("is applied again once it is fixed", async () => {
    write("30000101000001_bad.sql", "create table public.bad (id int);");
    expect(await applyFolder()).toEqual(["30000101000001_bad.sql"]);
  });
});

test("the REST service is told to read the schema again, and only then", async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const heard: (string | undefined)[] = [];
    client.on("notification", ({ payload }) => heard.push(payload));
    await client.query("listen pgrst");
    await applyFolder();
    await client.query("select 1");
    expect(heard).toEqual([]);
    // Data only: an event trigger on schema changes would not fire.
    write("30000101000002_data.sql", "insert into public.good values (1);");
    await applyFolder();
    await client.query("select 1");
    expect(heard).toEqual(["reload schema"]);
  } finally {
    await client.end();
  }
});
