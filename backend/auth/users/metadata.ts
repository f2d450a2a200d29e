import * as v from "valibot";
import type { Query } from "#backend/postgres/database.ts";
import { validationFailed } from "../auth-error.ts";
import { findUser, isConfirmed, type UserRow } from "./user-row.ts";

/**
 * Anyone can set metadata for an address that is not theirs, and it is read on every request. The database enforces the
 * same limit on the stored value (`refuse_large_metadata`).
 */
const MAX_METADATA_BYTES = 8_192;

export function metadataTooLarge() {
  return validationFailed(`User data and app data may have ${MAX_METADATA_BYTES} bytes at most each`);
}

/** The schema of `user_metadata` and `app_metadata`. */
export const metadata = v.nullish(
  v.pipe(
    v.unknown(),
    v.check((data) => !Array.isArray(data)),
    v.record(v.string(), v.unknown()),
    v.transform((data) => {
      if (keptBytes(data) > MAX_METADATA_BYTES) throw metadataTooLarge();
      return data;
    }),
  ),
);

/** An upper bound for the stored size: PostgreSQL puts spaces between members and expands numbers. */
function keptBytes(data: unknown): number {
  const written = (_: string, value: unknown) =>
    typeof value === "number" && String(value).includes("e") ? "0".repeat(330) : value;
  return Buffer.byteLength(JSON.stringify(data, written, 1));
}

/** SQL that merges a JSON parameter into a column; members that are null in the parameter are removed. */
export function mergedInto(column: string, parameter: string): string {
  return `(coalesce(${column}, '{}') || ${parameter}::jsonb)
    - array(select key from jsonb_each(${parameter}::jsonb) where value = 'null')`;
}

const replace = `
  with replaced as (
    update auth.users set raw_user_meta_data = $2, updated_at = now()
    where id = $1 and email_confirmed_at is null and phone_confirmed_at is null
      and ($3 or invited_at is null and confirmation_sent_at is not null)
    returning id
  )
  update auth.identities set updated_at = now(), identity_data = $2::jsonb || coalesce((
    select jsonb_object_agg(key, value) from jsonb_each(identity_data)
    where key in ('sub', 'email', 'phone', 'email_verified', 'email_proved', 'phone_verified')
  ), '{}')
  where user_id in (select id from replaced)`;

/**
 * A repeated request for an unconfirmed account replaces its data, which a stranger may have set. Confirmed accounts
 * are left alone, and data set by an operator is replaced only by operators.
 */
export async function replaceUnconfirmedMetadata(
  query: Query,
  user: UserRow,
  data: Record<string, unknown>,
  { byOperator = false } = {},
): Promise<UserRow> {
  if (isConfirmed(user)) return user;
  await query(replace, [user.id, JSON.stringify(data), String(byOperator)]);
  return (await findUser(query, "id", user.id)) ?? user;
}
