import { readFileSync } from "node:fs";
import { Client } from "pg";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";

/** One column as described by `information_schema.columns`. */
export type Column = { table: string; column: string; type: string; nullable: string; default: string };

/** The columns that the original services' own migrations create. */
export const originalColumns: Column[] = readFileSync(new URL("columns.csv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map(parseLine);

function parseLine(line: string): Column {
  const [, table = "", column = "", type = "", nullable = "", value = ""] =
    /^([^,]*),([^,]*),([^,]*),([^,]*),(.*)$/.exec(line) ?? [];
  return { table, column, type, nullable, default: value };
}

const ENUMS: Record<string, string[]> = {
  "auth.factor_type": ["totp", "webauthn", "phone"],
  "auth.factor_status": ["unverified", "verified"],
  "auth.aal_level": ["aal1", "aal2", "aal3"],
  "auth.code_challenge_method": ["s256", "plain"],
  "auth.one_time_token_type": [
    "confirmation_token",
    "reauthentication_token",
    "recovery_token",
    "email_change_token_new",
    "email_change_token_current",
    "phone_change_token",
  ],
  "auth.oauth_registration_type": ["dynamic", "manual"],
  "auth.oauth_client_type": ["public", "confidential"],
  "auth.oauth_response_type": ["code"],
  "auth.oauth_authorization_status": ["pending", "approved", "denied", "expired"],
  "storage.buckettype": ["STANDARD", "ANALYTICS", "VECTOR"],
};

/** Enum types whose name differs from the column's, by table and column or by column. */
const OF_COLUMN: Record<string, string> = {
  "auth.mfa_factors.status": "factor_status",
  "auth.oauth_authorizations.status": "oauth_authorization_status",
  aal: "aal_level",
  token_type: "one_time_token_type",
  registration_type: "oauth_registration_type",
  client_type: "oauth_client_type",
  response_type: "oauth_response_type",
  type: "buckettype",
};

export type OriginalDatabase = TestDatabase & {
  /** Connects as the login of a hosted project's owner: no superuser, and not the owner of the services' tables. */
  ownerUrl: string;
};

/** A database as left by the original services' migrations, with the ownership of a hosted project. */
export async function createOriginalDatabase(
  options: { authMayCreate?: boolean } = {},
): Promise<OriginalDatabase> {
  const database = await createTestDatabase({ empty: true });
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(ROLES);
    await client.query(`
      revoke create on database "${name}" from supabase_auth_admin;
      grant create on database "${name}" to hosted_owner;
      ${options.authMayCreate ? `grant create on database "${name}" to supabase_auth_admin;` : ""}
      alter schema public owner to hosted_owner;
      create schema auth; create schema storage; create schema realtime; create schema extensions;
      create sequence auth.refresh_tokens_id_seq;
      ${Object.entries(ENUMS).map(createEnum).join("")}
      ${[...Map.groupBy(originalColumns, ({ table }) => table)].map(createTable).join("")}
      alter sequence auth.refresh_tokens_id_seq owner to supabase_auth_admin`);
    await client.query(readFileSync(new URL("rest.sql", import.meta.url), "utf8"));
  } finally {
    await client.end();
  }
  Object.assign(url, { username: "hosted_owner", password: "owner" });
  return { ...database, ownerUrl: url.href };
}

// Roles belong to the whole cluster, which already has the others. On a hosted project an extension lets users create
// policies on objects and messages, which they do not own; here membership in the owning roles does.
const ROLES = `
  do $$ begin
    create role hosted_owner login createrole bypassrls password 'owner';
  exception when duplicate_object or unique_violation then null; end $$;
  do $$ begin
    create role supabase_storage_admin login noinherit;
  exception when duplicate_object or unique_violation then null; end $$;
  do $$ begin
    create role supabase_realtime_admin nologin noinherit;
  exception when duplicate_object or unique_violation then null; end $$;
  grant anon, authenticated, service_role, supabase_storage_admin, supabase_realtime_admin to hosted_owner`;

function createEnum([name, labels]: [string, string[]]): string {
  return `create type ${name} as enum (${labels.map((label) => `'${label}'`).join()});\n`;
}

function createTable([table, columns]: [string, Column[]]): string {
  const schema = table.slice(0, table.indexOf("."));
  return `create table ${table} (${columns.map(defineColumn).join()}, primary key (id));
    alter table ${table} owner to supabase_${schema}_admin;
    alter table ${table} enable row level security;\n`;
}

function defineColumn({ table, column, type, nullable, default: value }: Column): string {
  const schema = table.slice(0, table.indexOf("."));
  const named = OF_COLUMN[`${table}.${column}`] ?? OF_COLUMN[column] ?? column;
  const exact = type === "USER-DEFINED" ? `${schema}.${named}` : type === "ARRAY" ? "text[]" : type;
  const filled = value.replace(/::(oauth_)/, "::auth.$1").replace("'refresh", "'auth.refresh");
  return `"${column}" ${exact}${nullable === "NO" ? " not null" : ""}${filled ? ` default ${filled}` : ""}`;
}
