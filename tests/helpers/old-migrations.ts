import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Client } from "pg";

/** Brings a database with the backend's schema to the state of the last release before the baseline. */
export async function applyOldMigrations(client: Client): Promise<void> {
  await client.query(
    `create schema supabase_migrations;
    create table supabase_migrations.schema_migrations (version text not null primary key, statements text[], name text);`,
  );
  for (const { name, sql } of readOldMigrations()) {
    const [version, ...words] = name.replace(".sql", "").split("_");
    await client.query(`set search_path = public, extensions; ${sql}`);
    await client.query("insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)", [
      version,
      words.join("_"),
    ]);
  }
}

function readOldMigrations(): { name: string; sql: string }[] {
  const file = new URL("../database/fixtures/migrations-before-baseline.sql.gz", import.meta.url);
  const [, ...parts] = gunzipSync(readFileSync(file))
    .toString()
    .split(/^-- file: (.+)$/m);
  return Array.from({ length: parts.length / 2 }, (_, i) => ({
    name: parts[2 * i] as string,
    sql: parts[2 * i + 1] as string,
  }));
}
