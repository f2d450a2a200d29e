import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "pg";
import { withClient } from "#backend/postgres/with-client.ts";
import { StartError } from "../configuration/start-error.ts";

type Migration = { version: string; name: string; file: string };

// An arbitrary advisory lock number: processes that start at once migrate one after the other.
const LOCK = 7_246_151_002;
const FOLDER = new URL("../../supabase/migrations/", import.meta.url);
/** A privilege that the tool which writes migrations grants along with the others, but PostgreSQL has only since 17. */
const MAINTAIN = /^(GRANT [A-Z, ]*?)MAINTAIN, /gm;
const FIRST_WITH_MAINTAIN = 170_000;
const FILE_NAME = /^(\d{14})_(.+)\.sql$/;

/**
 * Applies the migrations in `supabase/migrations` that the database lacks, each file in one transaction, and records
 * them where the Supabase CLI does, so that either can continue after the other. Returns the names of the applied
 * files. If one fails, rejects with a sentence that names file and line; the earlier ones stay.
 */
export async function applyMigrations(url: string, folder: URL = FOLDER): Promise<string[]> {
  return withClient(url, "migrations", async (client) => {
    await client.query("set client_min_messages = warning; set search_path = public, extensions");
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    const applied = await readApplied(client);
    const missing = findMigrations(folder).filter(({ version }) => !applied.has(version));
    const server = await client.query("select current_setting('server_version_num')::int as version");
    const knowsMaintain = server.rows[0].version >= FIRST_WITH_MAINTAIN;
    for (const migration of missing) await applyMigration(client, migration, { folder, knowsMaintain });
    // Without a schema watcher, this tells the REST service to reload.
    if (missing.length > 0) await client.query("notify pgrst, 'reload schema'");
    return missing.map(({ file }) => file);
  });
}

async function readApplied(client: Client): Promise<Set<string>> {
  await client.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (
      version text not null primary key, statements text[], name text
    )`);
  await adoptBaseline(client);
  const { rows } = await client.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  return new Set(rows.map(({ version }) => version));
}

/** The migrations of this release, oldest first. */
export function findMigrations(folder: URL = FOLDER): Migration[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, version, name] = FILE_NAME.exec(file) ?? [];
      return version && name ? [{ version, name, file }] : [];
    });
}

async function applyMigration(
  client: Client,
  { version, name, file }: Migration,
  { folder, knowsMaintain }: { folder: URL; knowsMaintain: boolean },
) {
  const sql = readFileSync(new URL(file, folder), "utf8");
  await client.query("begin");
  try {
    await client.query(knowsMaintain ? sql : sql.replaceAll(MAINTAIN, "$1"));
    await client.query(
      "insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)",
      [version, name, [sql]],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw new StartError(`Migration supabase/migrations/${file}${lineOf(error, sql)}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** PostgreSQL counts characters from 1, and within a function's body from the start of the body. */
function lineOf(error: unknown, sql: string): string {
  const position = Number((error as { position?: string }).position);
  if (!Number.isInteger(position)) return "";
  const characters = Array.from(sql).slice(0, position - 1);
  return `, line ${characters.filter((character) => character === "\n").length + 1}`;
}

function reasonOf(error: unknown): string {
  const { message, detail, where } = error as { message: string; detail?: string; where?: string };
  return [message, detail, where].filter(Boolean).join("; ");
}

const BASELINE = { version: "20261122000000", name: "baseline" };
/** The migrations that the baseline replaces in databases created before it. */
const REPLACED = { first: "20261121090000", last: "20261121102410", count: 48 };

/**
 * Records the baseline in place of the 48 migrations that it replaces, in a database that has them; any other database
 * is left as it is. Throws a `StartError` if some of the 48 are missing, because the baseline would skip their changes.
 */
async function adoptBaseline(client: Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from supabase_migrations.schema_migrations where version between $1 and $2`,
    [REPLACED.first, REPLACED.last],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  if (count < REPLACED.count) {
    throw new StartError(
      `The database was made by an early release, with ${count} of its ${REPLACED.count} migrations. ` +
        "Start the release before this one once, so that it applies the others.",
    );
  }
  await client.query(
    `with replaced as (delete from supabase_migrations.schema_migrations where version between $1 and $2)
    insert into supabase_migrations.schema_migrations (version, name) values ($3, $4) on conflict do nothing`,
    [REPLACED.first, REPLACED.last, BASELINE.version, BASELINE.name],
  );
}
