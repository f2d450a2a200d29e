import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "pg";
import { inTransaction } from "#backend/postgres/with-client.ts";

/** `shared`: schemas that hosted projects have too; `own`: the backend's own. */
export type FileGroup = "shared" | "own";

const FOLDERS = { shared: new URL("shared/", import.meta.url), own: new URL("own/", import.meta.url) };

const LOCK = 7_246_151_001;

export function filesOf(group: FileGroup): string[] {
  return readdirSync(FOLDERS[group])
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

/** Runs `work` in a transaction, serialized across processes. */
export function whileLocked(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  return inTransaction(url, "backend schema", LOCK, async (client) => {
    await client.query("set local client_min_messages = warning");
    await work(client);
  });
}

/** Applies the files that have not been applied yet. */
export async function applyFiles(client: Client, group: FileGroup): Promise<void> {
  await client.query(`
    create schema if not exists backend;
    create table if not exists backend.schema_files (
      name text not null primary key,
      applied_at timestamptz not null default now()
    )`);
  const { rows } = await client.query<{ name: string }>("select name from backend.schema_files");
  const applied = new Set(rows.map((row) => row.name));
  for (const name of filesOf(group).filter((file) => !applied.has(file))) {
    await client.query(readFileSync(new URL(name, FOLDERS[group]), "utf8"));
    await client.query("insert into backend.schema_files (name) values ($1)", [name]);
  }
}

/** Whether another owner created the accounts' schema, so that this login may not alter it. */
export async function isForeign(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ foreign: boolean }>(`
    select not pg_has_role(relowner, 'member') as foreign from pg_class where oid = to_regclass('auth.users')`);
  return rows[0]?.foreign ?? false;
}
