import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { expect, test } from "vitest";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { ACCOUNTS, addPeople } from "#tests/helpers/people.ts";

const MIGRATIONS = new URL("../../../supabase/migrations/", import.meta.url);

test("reports from before there was one table for all of them are kept, open or closed", async () => {
  const database = await createTestDatabase({ empty: true });
  const before = mkdtempSync(join(tmpdir(), "migrations-"));
  const client = new Client({ connectionString: database.url });
  try {
    await applyBackendSchema(database.url);
    const files = readdirSync(MIGRATIONS).sort();
    const move = files.findIndex((file) => file.endsWith("_children_and_moderators.sql"));
    for (const file of files.slice(0, move)) copyFileSync(new URL(file, MIGRATIONS), join(before, file));
    await applyMigrations(database.url, pathToFileURL(`${before}/`));
    await addPeople(database.url);
    await client.connect();
    await client.query(
      `with said as (insert into public.chat_messages (user_id, message) values ($1, 'rude') returning id)
       insert into public.chat_reports (message_id, reporter_id, reason) select id, $2, 'Mean' from said`,
      [ACCOUNTS.Ben.id, ACCOUNTS.Ana.id],
    );
    await client.query(
      `with said as (insert into public.chat_messages (user_id, message) values ($1, 'worse') returning id)
       insert into public.chat_reports (message_id, reporter_id) select id, $2 from said`,
      [ACCOUNTS.Ben.id, ACCOUNTS.Eve.id],
    );
    await client.query("update public.chat_reports set resolved_at = now() where message = 'rude'");
    await applyMigrations(database.url);
    const { rows } = await client.query(
      "select kind, evidence, reason, reporter_id, subject_id = message_id as named, resolved_at is null as open from public.reports order by evidence",
    );
    expect(rows).toEqual([
      {
        kind: "message",
        evidence: "rude",
        reason: "Mean",
        reporter_id: ACCOUNTS.Ana.id,
        named: true,
        open: false,
      },
      {
        kind: "message",
        evidence: "worse",
        reason: null,
        reporter_id: ACCOUNTS.Eve.id,
        named: true,
        open: true,
      },
    ]);
  } finally {
    await client.end();
    rmSync(before, { recursive: true });
    await database.drop();
  }
});
