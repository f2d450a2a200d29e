import type { Query } from "#backend/postgres/database.ts";
import { type Act, type Actor, recorded } from "../audit/recorded.ts";
import { onDuplicate } from "../auth-error.ts";
import { listProviders } from "./identity-row.ts";
import { emailExists, phoneExists } from "./taken-address.ts";
import type { UserRow } from "./user-row.ts";

/**
 * Per kind of change: the columns it sets, the codes it invalidates, and the error if another account has the address.
 */
const changes = {
  email: {
    set: "email = $2, email_change = '', email_change_confirm_status = 0",
    // Codes mailed to the old mailbox must no longer open this account.
    invalidates: "delete from auth.one_time_tokens where user_id = $1",
    isTaken: emailExists,
  },
  phone: {
    set: "phone = $2, phone_change = ''",
    invalidates: "delete from auth.one_time_tokens where user_id = $1 and relates_to <> $2",
    isTaken: phoneExists,
  },
};

/** How an address is known: by a proof, as entered where that is enough, or not yet. */
type Standing = "proved" | "accepted" | "unconfirmed";

/**
 * Sets a new address or number. Unless it is unconfirmed, the account is no longer anonymous.
 * @throws AuthError 422 if another account has taken it in the meantime
 */
export async function changeAddress(
  query: Query,
  userId: string,
  by: "email" | "phone",
  address: string,
  act: Act | null,
  standing: Standing = "proved",
): Promise<void> {
  const isConfirmed = standing !== "unconfirmed";
  const { set, invalidates, isTaken } = changes[by];
  const text = `
    update auth.users set ${set}, updated_at = now(), is_anonymous = is_anonymous and not $3::boolean,
      ${by}_confirmed_at = case when $3::boolean then now() end
    where id = $1`;
  await query(...recorded(act, text, [userId, address, String(isConfirmed)])).catch(onDuplicate(isTaken));
  await query(invalidates, by === "email" ? [userId] : [userId, address]);
  const data = {
    sub: userId,
    [by]: address,
    [`${by}_verified`]: isConfirmed,
    ...(by === "email" && { email_proved: standing === "proved" }),
  };
  await query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1::text, ($1::text)::uuid, $2, $3, now(), now(), now())
     on conflict (provider_id, provider) do update set updated_at = now(),
       identity_data = auth.identities.identity_data || excluded.identity_data`,
    [userId, JSON.stringify(data), by],
  );
  await listProviders(query, userId);
}

/** Marks the account's own, so far unconfirmed address or number as confirmed. */
export async function confirmAddress(
  query: Query,
  user: UserRow,
  by: "email" | "phone",
  { actor, keepsPassword }: { actor: Actor; keepsPassword: boolean },
): Promise<void> {
  const isInvited = by === "email" && user.invited_at != null;
  const action = isInvited ? "invite_accepted" : "user_signedup";
  const text = `
    update auth.users set ${by}_confirmed_at = now(), updated_at = now(),
      encrypted_password = case when $2 then encrypted_password end
    where id = $1`;
  const act: Act = { action, actor, traits: { provider: by } };
  await query(...recorded(act, text, [user.id, String(keepsPassword)]));
  await confirmIdentity(query, user.id, by);
}

/** Marks the identity of the account's own address or number as confirmed, as the account's row is. */
export async function confirmIdentity(query: Query, userId: string, by: "email" | "phone"): Promise<void> {
  await query(
    `update auth.identities set identity_data = identity_data || $3, updated_at = now()
     where user_id = $1 and provider = $2`,
    [userId, by, JSON.stringify({ [`${by}_verified`]: true, ...(by === "email" && { email_proved: true }) })],
  );
}

/** Values of `email_change_confirm_status` once one mailbox has agreed; 0 means that neither has. */
const AGREED = { email_change_token_new: "1", email_change_token_current: "2" };
type Mailbox = keyof typeof AGREED;

/** Whether a mailbox has agreed to the pending change. */
export function hasAgreed({ email_change_confirm_status: status }: UserRow, mailbox: Mailbox): boolean {
  return status === AGREED[mailbox];
}

/**
 * Records that one of the mailboxes has agreed. Resolves with true once the address has changed, and with false while
 * the other mailbox still has to agree; the same mailbox agreeing twice does not count.
 */
export async function confirmEmailChange(
  query: Query,
  user: UserRow,
  mailbox: Mailbox,
  { secureEmailChange, actor }: { secureEmailChange: boolean; actor: Actor },
): Promise<boolean> {
  const needsBoth = secureEmailChange && Boolean(user.email);
  if (needsBoth && (user.email_change_confirm_status === "0" || hasAgreed(user, mailbox))) {
    await query("update auth.users set email_change_confirm_status = $2, updated_at = now() where id = $1", [
      user.id,
      AGREED[mailbox],
    ]);
    return false;
  }
  await changeAddress(query, user.id, "email", user.email_change ?? "", { action: "user_modified", actor });
  return true;
}
