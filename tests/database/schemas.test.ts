import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { applySchemas, countMissingRows } from "#scripts/schema/apply-schemas.ts";
import { diffSchemas, format, generateTypes } from "#scripts/schema/compare-schemas.ts";
import { generateLimits } from "#scripts/schema/read-limits.ts";
import { runSupabaseCli } from "#scripts/schema/supabase-cli.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { applyOldMigrations } from "#tests/helpers/old-migrations.ts";

// Fetches the CLI from the registry if it is not installed yet.
const FETCHES_THE_CLI = 180_000;
const RUNS_THE_CLI = 60_000;

let migrated: TestDatabase;
let declared: TestDatabase;

beforeAll(async () => {
  migrated = await createTestDatabase({ asksAge: true });
  declared = await createTestDatabase({ empty: true });
  await applyBackendSchema(declared.url);
  await applySchemas(declared.url);
  await runSupabaseCli(["--version"], tmpdir());
}, FETCHES_THE_CLI);
afterAll(async () => {
  await migrated.drop();
  await declared.drop();
});

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test("migrations and schemas create the same database", { timeout: RUNS_THE_CLI }, async () => {
  expect(await diffSchemas(migrated.url, declared.url)).toBe("");
});

test("the comparison covers the product's objects in the backend's schemas", {
  timeout: RUNS_THE_CLI,
}, async () => {
  await query(
    declared.url,
    `drop policy "Admins add item images" on storage.objects;
    drop policy "Sessions without the second factor cannot join the chat" on realtime.messages;
    drop trigger create_profile_at_sign_up on auth.users;
    drop trigger avatars_limit_count on storage.objects;
    alter publication supabase_realtime drop table public.ads`,
  );
  const difference = await diffSchemas(migrated.url, declared.url);
  for (const name of [
    "Admins add item images",
    "Sessions without the second factor cannot join the chat",
    "create_profile_at_sign_up",
    "avatars_limit_count",
    "supabase_realtime",
  ]) {
    expect(difference).toContain(name);
  }
});

test("the migrations insert the rows of supabase/rows.sql", async () => {
  expect(await countMissingRows(migrated.url)).toBe(0);
});

test("supabase/database.types.ts matches the database", { timeout: RUNS_THE_CLI }, async () => {
  const types = readFileSync(new URL("../../supabase/database.types.ts", import.meta.url), "utf8");
  expect(await generateTypes(migrated.url)).toBe(types);
});

test("domain/text/column-limits.ts matches the check constraints", async () => {
  const limits = readFileSync(new URL("../../domain/text/column-limits.ts", import.meta.url), "utf8");
  expect(await format(await generateLimits(migrated.url))).toBe(limits);
});

test("Supabase's advisors find nothing", { timeout: RUNS_THE_CLI }, async () => {
  const { stdout, stderr } = await runSupabaseCli(["db", "advisors", `--remote=${migrated.url}`], tmpdir());
  expect(stdout + stderr).toContain("No issues found");
});

describe("a hosted project", () => {
  let hosted: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    hosted = await createTestDatabase({ empty: true });
    await applyBackendSchema(hosted.url);
    folder = mkdtempSync(join(tmpdir(), "hosted-"));
    cpSync(new URL("../../supabase", import.meta.url), join(folder, "supabase"), { recursive: true });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await hosted.drop();
  });

  test("is brought up to date by db push, and then has every migration", {
    timeout: RUNS_THE_CLI,
  }, async () => {
    await runSupabaseCli(["db", "push", `--remote=${hosted.url}`], folder);
    const { stdout } = await runSupabaseCli(["migration", "list", `--remote=${hosted.url}`], folder);
    const versions = await query(
      migrated.url,
      "select version from supabase_migrations.schema_migrations order by version",
    );
    for (const { version } of versions) expect(stdout.split(version)).toHaveLength(3);
    expect(await diffSchemas(migrated.url, hosted.url)).toBe("");
  });
});

describe("a database from before the baseline", () => {
  let old: TestDatabase;

  beforeAll(async () => {
    old = await createTestDatabase({ empty: true });
    await applyBackendSchema(old.url);
    const client = new Client({ connectionString: old.url });
    await client.connect();
    await applyOldMigrations(client).finally(() => client.end());
    await query(
      old.url,
      `insert into auth.users (id, email) values ('5b0b6f9c-6a3e-4c7e-9a39-0d4dbb0d9a11', 'mara@example.com');
      insert into public.categories (slug, name, icon, display_order) values ('fruits', 'Fruits', '🍎', 1);
      insert into public.items (name, slug, current_value, previous_value) values ('Dough', 'dough', '640M', '660M');
      update public.items set current_value = '650M', change_reason = 'Trades of the week'`,
    );
  });
  afterAll(() => old.drop());

  test("is treated as being at the baseline, keeps its data and ends with the same schema", {
    timeout: RUNS_THE_CLI,
  }, async () => {
    const applied = await applyMigrations(old.url);
    expect(applied).not.toContain("20261122000000_baseline.sql");
    expect(await diffSchemas(migrated.url, old.url)).toBe("");
    expect(await countMissingRows(old.url)).toBe(0);
    expect(
      await query(old.url, "select old_value, new_value, reason from public.item_value_changes order by id"),
    ).toEqual([
      { old_value: null, new_value: "640M", reason: null },
      { old_value: "640M", new_value: "650M", reason: "Trades of the week" },
    ]);
    expect(await query(old.url, "select count(*)::int from public.profiles")).toEqual([{ count: 1 }]);
    const versions = "select version from supabase_migrations.schema_migrations order by version";
    expect(await query(old.url, versions)).toEqual(await query(migrated.url, versions));
    expect(await applyMigrations(old.url)).toEqual([]);
  });

  test("is refused with a clear message if it lacks a migration that the baseline includes", async () => {
    await query(
      old.url,
      `delete from supabase_migrations.schema_migrations;
      insert into supabase_migrations.schema_migrations (version) values ('20261121090000')`,
    );
    await expect(applyMigrations(old.url)).rejects.toMatchObject({
      name: "StartError",
      message:
        "The database was made by an early release, with 1 of its 48 migrations. Start the release before this one once, so that it applies the others.",
    });
  });
});
