import type { Query } from "#backend/postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import { deleteCredentials } from "../users/delete-credentials.ts";
import { UNDO_LINK_LIFETIME } from "../users/owner-notice.ts";
import { hasVerifiedFactor, type UserRow } from "../users/user-row.ts";

/**
 * Someone may have created an account with a stranger's address, to wait for its owner (account pre-hijacking). When
 * the owner signs in through a provider, all existing credentials are removed.
 */
export async function removeUnprovedCredentials(query: Query, userId: string): Promise<void> {
  await deleteCredentials(query, userId);
  await query(
    `update auth.users set encrypted_password = null, phone = null, phone_confirmed_at = null,
       raw_user_meta_data = '{}', email_confirmed_at = coalesce(email_confirmed_at, now()),
       updated_at = now()
     where id = $1`,
    [userId],
  );
}

/**
 * Refuses to hand over an account of which the address proves too little: it is also the owner's of a proved number, a
 * second factor protects it against whoever reads the mailbox, or the owner of the address before a recent change may
 * still take it back, with all that is in it by then.
 * @throws AuthError 422
 */
export async function requireUndisputed(
  query: Query,
  user: UserRow,
  { accountGuard, smsAutoconfirm }: Pick<AuthConfig, "accountGuard" | "smsAutoconfirm">,
): Promise<void> {
  const undo = `
    select from backend.ways_back where user_id = $1 and email <> $2 and made_at > now() - make_interval(secs => $3)
    limit 1`;
  const mayBeTakenBack = async () =>
    accountGuard !== null &&
    (await query(undo, [user.id, user.email ?? "", String(UNDO_LINK_LIFETIME)])).length > 0;
  const hasProvedPhone = user.phone_confirmed_at != null && !smsAutoconfirm;
  if (!hasProvedPhone && !hasVerifiedFactor(user) && !(await mayBeTakenBack())) return;
  const message = "An account has this email address already: sign in to it, and link the provider there";
  throw new AuthError(422, "user_already_exists", message);
}
