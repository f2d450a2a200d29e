import type { Query, Row, Step } from "#backend/postgres/database.ts";

/** A row of `auth.users` with the user's identities and factors as JSON; every column is in PostgreSQL's text form. */
export type UserRow = Row & { id: string; identities: string; factors: string };

const select = `
  select users.*,
    (select coalesce(json_agg(json_build_object(
      'identity_id', identity.id, 'id', identity.provider_id, 'user_id', identity.user_id,
      'identity_data', identity.identity_data, 'provider', identity.provider,
      'last_sign_in_at', identity.last_sign_in_at at time zone 'utc', 'created_at', identity.created_at at time zone 'utc',
      'updated_at', identity.updated_at at time zone 'utc', 'email', identity.email
    ) order by identity.created_at), '[]') from auth.identities as identity where identity.user_id = users.id) as identities,
    (select coalesce(json_agg(json_build_object(
      'id', factor.id, 'created_at', factor.created_at at time zone 'utc',
      'updated_at', factor.updated_at at time zone 'utc', 'status', factor.status,
      'friendly_name', factor.friendly_name, 'factor_type', factor.factor_type, 'phone', factor.phone,
      'last_challenged_at', factor.last_challenged_at at time zone 'utc'
    ) order by factor.created_at), '[]') from auth.mfa_factors as factor where factor.user_id = users.id) as factors
  from auth.users as users`;

/** SSO users may share an address with another account, so they are not found by address. */
const found = {
  id: `${select} where users.id = $1`,
  email: `${select} where users.email = $1 and not users.is_sso_user`,
  phone: `${select} where users.phone = $1 and not users.is_sso_user`,
  session: `${select} where users.id = (select user_id from auth.sessions where id = $1)`,
};

/** Expects addresses in stored form: emails in lower case, phone numbers as digits only. */
export async function findUser(
  query: Query,
  by: "id" | "email" | "phone",
  value: string,
): Promise<UserRow | null> {
  const [row] = await query(found[by], [value]);
  return (row as UserRow | undefined) ?? null;
}

/** Locks the user's row until the transaction ends. */
export async function lockUser(query: Query, id: string): Promise<void> {
  await query("select from auth.users where id = $1 for update", [id]);
}

/** The step that selects a user. */
export const userById = (id: string): Step => ({ text: found.id, values: [id] });

/** The step that selects the user of a session. */
export const userBySession = (sessionId: string): Step => ({ text: found.session, values: [sessionId] });

/** Only the columns a sign-in needs, so that a known address takes barely longer than an unknown one. */
export type LoginRow = Row & { id: string };

const login = `
  select id, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at, banned_until, deleted_at,
    is_sso_user, raw_user_meta_data
  from auth.users`;
const loginOf = {
  email: `${login} where email = $1 and not is_sso_user`,
  phone: `${login} where phone = $1 and not is_sso_user`,
};

/** The step that selects a `LoginRow`, if the address is known. */
export const loginBy = (by: "email" | "phone", address: string): Step => ({
  text: loginOf[by],
  values: [address],
});

type Listing = { filter: string; order: "asc" | "desc"; page: number; perPage: number };

/** A page of the accounts that `filter` matches; of all if it is empty. */
export async function listUsers(query: Query, { filter, order, page, perPage }: Listing): Promise<UserRow[]> {
  const text = `${select} where ${matching(filter)} order by users.created_at ${order}, users.id limit $2 offset $3`;
  return (await query(text, [filter, String(perPage), String((page - 1) * perPage)])) as UserRow[];
}

export async function countUsers(query: Query, filter: string): Promise<number> {
  const [row] = await query(`select count(*) from auth.users as users where ${matching(filter)}`, [filter]);
  return Number(row?.count);
}

const matching = (filter: string) =>
  filter === ""
    ? "$1::text is not null"
    : `(strpos(lower(users.email), lower($1)) > 0
        or strpos(lower(users.raw_user_meta_data ->> 'full_name'), lower($1)) > 0)`;

/** The password of an unconfirmed sign-up may have been set by a stranger. Null for no password. */
export async function replaceUnprovedPassword(query: Query, id: string, hash: string | null): Promise<void> {
  await query(
    "update auth.users set encrypted_password = $2 where id = $1 and email_confirmed_at is null and phone_confirmed_at is null",
    [id, hash],
  );
}

/** Whether nobody may use the account: for now, or for good if it was soft-deleted. */
export function isBanned({ banned_until: until, deleted_at: deletedAt }: Row): boolean {
  if (deletedAt != null) return true;
  return until != null && new Date(until).getTime() > Date.now();
}

/** Whether the user has a verified second factor. */
export function hasVerifiedFactor({ factors }: UserRow): boolean {
  return (JSON.parse(factors) as { status: string }[]).some(({ status }) => status === "verified");
}

export function isConfirmed(user: UserRow): boolean {
  return user.email_confirmed_at != null || user.phone_confirmed_at != null;
}
