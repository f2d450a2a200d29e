import type { Query } from "#backend/postgres/database.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import { deleteWaysIn, type UserRow } from "../users/user-row.ts";

type Identity = { provider: string; identity_data: { email?: unknown; email_verified?: unknown } };

/** Whether whoever opens the account has shown that its address is theirs: by a mail to it, or through a provider. */
export function isAddressProved(user: UserRow, { mailerAutoconfirm }: AuthConfig): boolean {
  // Where accounts need no mail to be confirmed, being confirmed says nothing.
  if (!mailerAutoconfirm) return user.email_confirmed_at != null;
  return (JSON.parse(user.identities) as Identity[]).some(
    ({ provider, identity_data: { email, email_verified: isVerified } }) =>
      provider !== "email" && provider !== "phone" && isVerified === true && email === user.email,
  );
}

/**
 * Somebody may have made an account with a stranger's address, to wait for its owner. When the owner comes through a
 * provider, everything that could open the account goes.
 */
export async function removeUnproved(query: Query, userId: string): Promise<void> {
  await deleteWaysIn(query, userId);
  await query(
    `update auth.users set encrypted_password = null, phone = null, phone_confirmed_at = null, email_change = '',
       phone_change = '', raw_user_meta_data = '{}', email_confirmed_at = coalesce(email_confirmed_at, now()),
       updated_at = now()
     where id = $1`,
    [userId],
  );
}
