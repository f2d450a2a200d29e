import type { Query } from "#backend/postgres/database.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import { deleteCredentials, type UserRow } from "../users/user-row.ts";

type Identity = { provider: string; identity_data: { email?: unknown; email_verified?: unknown } };

/** Whether the account's user has proved that its address is theirs: by a mail to it, or through a provider. */
export function isAddressProved(user: UserRow, { mailerAutoconfirm }: AuthConfig): boolean {
  // If accounts are confirmed without a mail, being confirmed proves nothing.
  if (!mailerAutoconfirm) return user.email_confirmed_at != null;
  return (JSON.parse(user.identities) as Identity[]).some(
    ({ provider, identity_data: { email, email_verified: isVerified } }) =>
      provider !== "email" && provider !== "phone" && isVerified === true && email === user.email,
  );
}

/**
 * Someone may have created an account with a stranger's address, to wait for its owner (account pre-hijacking). When
 * the owner signs in through a provider, all existing credentials are removed.
 */
export async function removeUnprovedCredentials(query: Query, userId: string): Promise<void> {
  await deleteCredentials(query, userId);
  await query(
    `update auth.users set encrypted_password = null, phone = null, phone_confirmed_at = null, email_change = '',
       phone_change = '', raw_user_meta_data = '{}', email_confirmed_at = coalesce(email_confirmed_at, now()),
       updated_at = now()
     where id = $1`,
    [userId],
  );
}
