import type { Query } from "#backend/postgres/database.ts";

/**
 * Ends what was begun with the credentials so far: all sessions but `keptSession`, mailed codes, sign-ins and links
 * through providers, changes of address that wait for a code, and applications' requests.
 */
export async function endPending(
  query: Query,
  userId: string,
  keptSession: string | null = null,
): Promise<void> {
  // First: a concurrent exchange of an application's code has locked its request.
  await query("update auth.oauth_authorizations set status = 'expired' where user_id = $1", [userId]);
  await query("delete from auth.sessions where user_id = $1 and id is distinct from $2", [
    userId,
    keptSession,
  ]);
  await query("delete from auth.one_time_tokens where user_id = $1", [userId]);
  await query("delete from auth.flow_state where $1 in (user_id, linking_target_id)", [userId]);
  await query(
    `update auth.users set email_change = '', email_change_confirm_status = 0, phone_change = '',
       email_change_sent_at = null, phone_change_sent_at = null, reauthentication_sent_at = null
     where id = $1`,
    [userId],
  );
}

/** Deletes all credentials except the password, and all that is pending; applications need a new consent. */
export async function deleteCredentials(query: Query, userId: string): Promise<void> {
  await endPending(query, userId);
  for (const table of ["webauthn_credentials", "webauthn_challenges", "mfa_factors", "identities"]) {
    await query(`delete from auth.${table} where user_id = $1`, [userId]);
  }
  await revokeConsents(query, userId);
}

/** Deletes what the backend's own tables know of an account's owner. */
export async function forgetOwner(query: Query, userId: string): Promise<void> {
  for (const table of ["ways_back", "known_devices"]) {
    await query(`delete from backend.${table} where user_id = $1`, [userId]);
  }
}

/** Revokes what a user has granted to applications since a time. */
export async function revokeConsents(query: Query, userId: string, since = "-infinity"): Promise<void> {
  await query(
    `update auth.oauth_consents set revoked_at = now()
     where user_id = $1 and granted_at >= $2::timestamptz and revoked_at is null`,
    [userId, since],
  );
}
