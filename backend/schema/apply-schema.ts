import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { requireRights } from "./require-rights.ts";

export { BackendSchemaError } from "./require-rights.ts";

/** How to prepare a database for the backend. */
export type SchemaOptions = {
  /** Sets the password by which role `authenticator` logs in; left as it is when not given. */
  authenticatorPassword?: string;
  /** The same for `supabase_auth_admin`, which the auth service logs in as. */
  authAdminPassword?: string;
};

// Any number that nobody else locks by. Two processes that start at once come here one after the other.
const LOCK = 7_246_151_001;

/**
 * Brings a database what a hosted Supabase project has before its first migration: the roles, the schemas auth,
 * storage, extensions and realtime, the publication, and default privileges in public. Applies only the files that
 * were not applied yet, all in one transaction; safe to run at every start, and by several processes at once.
 *
 * `url` must be of a superuser, or of the database's owner with CREATEROLE and BYPASSRLS, on PostgreSQL 15 or later.
 * Rejects with `BackendSchemaError` when it is not, and with the database's own error for anything else.
 */
export async function applyBackendSchema(url: string, options: SchemaOptions = {}): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "backend schema" });
  await client.connect();
  try {
    await client.query("begin; set local client_min_messages = warning");
    await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
    await requireRights(client);
    await applyFiles(client);
    await setPassword(client, "authenticator", options.authenticatorPassword);
    await setPassword(client, "supabase_auth_admin", options.authAdminPassword);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

async function setPassword(client: Client, role: string, password: string | undefined): Promise<void> {
  if (password === undefined) return;
  await client.query(`alter role ${role} with login password ${client.escapeLiteral(password)}`);
}

async function applyFiles(client: Client): Promise<void> {
  await client.query(`
    create schema if not exists backend;
    create table if not exists backend.schema_files (
      name text not null primary key,
      applied_at timestamptz not null default now()
    )`);
  const { rows } = await client.query<{ name: string }>("select name from backend.schema_files");
  const applied = new Set(rows.map((row) => row.name));
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of files.sort().filter((file) => !applied.has(file))) {
    await client.query(readFileSync(new URL(name, folder), "utf8"));
    await client.query("insert into backend.schema_files (name) values ($1)", [name]);
  }
}
