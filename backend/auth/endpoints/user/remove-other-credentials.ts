import type { Query } from "#backend/postgres/database.ts";
import { revokeConsents } from "../../users/delete-credentials.ts";
import { listProviders } from "../../users/identity-row.ts";

/**
 * After the recovery of a forgotten password, removes credentials that someone else may have added and that the mailbox
 * does not prove. Verified second factors stay, since they protect against someone who took over the mailbox.
 */
export async function removeOtherCredentials(query: Query, userId: string, sessionId: string): Promise<void> {
  await query("delete from auth.webauthn_credentials where user_id = $1", [userId]);
  await query("delete from auth.mfa_factors where user_id = $1 and status = 'unverified'", [userId]);
  await revokeConsents(query, userId);
  await dropLaterPhone(query, userId);
  await dropOtherProviders(query, userId);
  // Only once per recovery: this session's next password change is an ordinary one.
  await query(
    "update auth.mfa_amr_claims set authentication_method = 'otp' where session_id = $1 and authentication_method = 'recovery'",
    [sessionId],
  );
}

/** Removes identities of providers that did not verify the address of the mailbox just proved. */
async function dropOtherProviders(query: Query, userId: string): Promise<void> {
  await query(
    `delete from auth.identities as identity using auth.users as owner
     where owner.id = $1 and identity.user_id = $1 and identity.provider not in ('email', 'phone')
       and (identity.email is distinct from owner.email or identity.identity_data ->> 'email_verified' <> 'true')`,
    [userId],
  );
  await listProviders(query, userId);
}

/** Removes a phone number that was added after the account's email address. */
async function dropLaterPhone(query: Query, userId: string): Promise<void> {
  const dropped = await query(
    `delete from auth.identities as phone using auth.identities as email
     where phone.user_id = $1 and phone.provider = 'phone'
       and email.user_id = $1 and email.provider = 'email' and email.created_at < phone.created_at
     returning phone.id`,
    [userId],
  );
  if (dropped.length === 0) return;
  await query("update auth.users set phone = null, phone_confirmed_at = null where id = $1", [userId]);
}
