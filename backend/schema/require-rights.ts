import type { Client } from "pg";

/** Why the backend cannot use a database: one sentence that tells the operator what to do. */
export class BackendSchemaError extends Error {
  override name = "BackendSchemaError";
}

export type Rights = {
  version: number;
  login: string;
  database: string;
  is_superuser: boolean;
  may_create_roles: boolean;
  may_bypass: boolean;
  may_create: boolean;
  roles: number;
  has_service_role: boolean;
};

const OLDEST_VERSION = 15;
/** From this version on, a role with BYPASSRLS may grant it; before, only a superuser can. */
const HANDS_BYPASS_ON = 16;

/** Refuses a database that is too old, or a login that may not set it up, before anything is changed. */
export async function requireRights(client: Client): Promise<void> {
  const { rows } = await client.query<Rights>(`
    select current_setting('server_version_num')::int / 10000 as version,
      current_user as login, current_database() as database,
      rolsuper as is_superuser, rolcreaterole as may_create_roles, rolbypassrls as may_bypass,
      has_database_privilege(current_database(), 'create') as may_create,
      (select count(*)::int from pg_roles
        where rolname in
          ('anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin')) as roles,
      exists (select from pg_roles where rolname = 'service_role' and rolbypassrls) as has_service_role
    from pg_roles where rolname = current_user`);
  const refusal = rows[0] ? findRefusal(rows[0]) : "The database does not know the login it was reached by.";
  if (refusal) throw new BackendSchemaError(refusal);
}

/** Why a database or login is unsuitable; null if it is suitable. */
export function findRefusal(rights: Rights): string | null {
  const { version, login, database } = rights;
  if (version < OLDEST_VERSION)
    return `The database runs PostgreSQL ${version}; version ${OLDEST_VERSION} or later is needed.`;
  if (rights.is_superuser) return null;
  if (!rights.may_create)
    return `Role "${login}" may not create schemas in database "${database}": use its owner, or run: grant create on database "${database}" to "${login}"`;
  if (rights.roles === 5) return null;
  if (rights.may_create_roles && rights.may_bypass && version < HANDS_BYPASS_ON && !rights.has_service_role)
    return `PostgreSQL ${version} lets only a superuser make a role that passes row-level security: let one run, once: create role service_role nologin noinherit bypassrls`;
  if (rights.may_create_roles && rights.may_bypass) return null;
  return `Role "${login}" may not create the roles that requests run as: a superuser can allow it with: alter role "${login}" createrole bypassrls`;
}
