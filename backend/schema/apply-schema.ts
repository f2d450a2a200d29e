import type { Client } from "pg";
import { BackendSchemaError, requireRights } from "./require-rights.ts";
import { applyFiles, isForeign, whileLocked } from "./schema-files.ts";

export { BackendSchemaError } from "./require-rights.ts";

/** How to set up a database for the backend. */
export type SchemaOptions = {
  /** Sets the password of role `authenticator`; unchanged if omitted. */
  authenticatorPassword?: string;
  /** The same for `supabase_auth_admin`, which the auth service logs in as. */
  authAdminPassword?: string;
};

/**
 * Sets up a database like a hosted Supabase project before its first migration: the roles, the schemas auth, storage,
 * extensions and realtime, the publication, and default privileges in public; plus the backend's own objects, in the
 * schema `backend`. Applies only files that have not been applied yet, all in one transaction; safe to run at every
 * start, and by several processes at once. If these schemas were created by the upstream services, and `url` may not
 * alter them, they are left as they are.
 *
 * `url` must be a superuser's, or the database owner's with CREATEROLE and BYPASSRLS, on PostgreSQL 15 or later.
 * Rejects with `BackendSchemaError` if it is not, and with the database's own error for anything else.
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
