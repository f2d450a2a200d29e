import type { Client } from "pg";
import { BackendSchemaError, requireRights } from "./require-rights.ts";
import { applyFiles, isForeign, whileLocked } from "./schema-files.ts";

export { BackendSchemaError } from "./require-rights.ts";

/** How to prepare a database for the backend. */
export type SchemaOptions = {
  /** Sets the password by which role `authenticator` logs in; left as it is when not given. */
  authenticatorPassword?: string;
  /** The same for `supabase_auth_admin`, which the auth service logs in as. */
  authAdminPassword?: string;
};

/**
 * Brings a database what a hosted Supabase project has before its first migration: the roles, the schemas auth,
 * storage, extensions and realtime, the publication, and default privileges in public; and what is the backend's own, in
 * the schema `backend`. Applies only the files that were not applied yet, all in one transaction; safe to run at every
 * start, and by several processes at once. Where the originals made these schemas, and `url` may not change them, they are
 * taken as they are.
 *
 * `url` must be of a superuser, or of the database's owner with CREATEROLE and BYPASSRLS, on PostgreSQL 15 or later.
 * Rejects with `BackendSchemaError` when it is not, and with the database's own error for anything else.
 */
export async function applyBackendSchema(url: string, options: SchemaOptions = {}): Promise<void> {
  await whileLocked(url, async (client) => {
    await requireRights(client);
    if (!(await isForeign(client))) await applyFiles(client, "shared");
    await applyFiles(client, "own");
    await setPassword(client, "authenticator", options.authenticatorPassword);
    await setPassword(client, "supabase_auth_admin", options.authAdminPassword);
  });
}

async function setPassword(client: Client, role: string, password: string | undefined): Promise<void> {
  if (password === undefined) return;
  try {
    await client.query(`alter role ${role} with login password ${client.escapeLiteral(password)}`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== "42501") throw cause;
    throw new BackendSchemaError(
      `Role "${client.user}" may not set the password of "${role}": a superuser can allow it with: grant ${role} to "${client.user}" with admin option`,
    );
  }
}
