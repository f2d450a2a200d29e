import { DatabaseError, type Query } from "#backend/postgres/database.ts";
import { type Act, type Actor, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { takeMail } from "../limits/take-mail.ts";
import type { CodeChallenge } from "../one-time-tokens/flow-state.ts";
import { mailCode } from "../one-time-tokens/mail-code.ts";
import { findUser, type UserRow } from "./user-row.ts";

export function emailExists(): AuthError {
  return new AuthError(422, "email_exists", "A user with this email address has already been registered");
}

/** Asks the new mailbox, and the old one where both must agree, before an account's address changes. */
export async function requestEmailChange(
  service: AuthService,
  user: UserRow,
  newEmail: string,
  { actor, redirectTo, challenge }: { actor: Actor; redirectTo: string; challenge: CodeChallenge | null },
): Promise<void> {
  const { database, config, limits } = service;
  // Whatever the new address is, so that nobody sends mail to a list of strangers, or asks which of them are here.
  if (!config.mailerAutoconfirm) await takeMail(limits, user.id);
  if (await findUser(database.query, "email", newEmail)) throw emailExists();
  if (config.mailerAutoconfirm) {
    return database.transaction((query) =>
      applyEmail(query, user.id, newEmail, { action: "user_modified", actor }),
    );
  }
  await takeMail(limits, newEmail);
  await database.query(
    "update auth.users set email_change = $2, email_change_confirm_status = 0, updated_at = now() where id = $1",
    [user.id, newEmail],
  );
  const mail = { user, actor, kind: "email_change", newEmail, redirectTo, challenge } as const;
  if (config.secureEmailChange && user.email) {
    await mailCode(service, { ...mail, tokenType: "email_change_token_current", address: user.email });
  }
  await mailCode(service, { ...mail, tokenType: "email_change_token_new", address: newEmail });
}

/** What `email_change_confirm_status` says when one mailbox has agreed; 0 says that none has. */
const AGREED = { email_change_token_new: "1", email_change_token_current: "2" };
type Mailbox = keyof typeof AGREED;

/** Whether a mailbox has agreed to the change that is under way. */
export function hasAgreed({ email_change_confirm_status: status }: UserRow, mailbox: Mailbox): boolean {
  return status === AGREED[mailbox];
}

/**
 * One of the mailboxes has agreed. Gives true when the address is changed by it, false when the other one is still to be
 * asked; agreeing twice does not stand for it.
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
  await applyEmail(query, user.id, user.email_change ?? "", { action: "user_modified", actor });
  return true;
}

/** @throws AuthError 422 when somebody took the address meanwhile */
export async function applyEmail(
  query: Query,
  userId: string,
  email: string,
  act: Act | null,
): Promise<void> {
  try {
    const text = `
      update auth.users set email = $2, email_change = '', email_change_confirm_status = 0,
        email_confirmed_at = now(), updated_at = now() where id = $1`;
    const values = [userId, email];
    await query(...recorded(act, text, values));
  } catch (cause) {
    if (cause instanceof DatabaseError && cause.code === "23505") throw emailExists();
    throw cause;
  }
  // Also what was mailed to the old mailbox: it opens this account no longer.
  await query("delete from auth.one_time_tokens where user_id = $1", [userId]);
  await query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1::text, ($1::text)::uuid, jsonb_build_object('sub', $1::text, 'email', $2::text, 'email_verified', true), 'email', now(), now(), now())
     on conflict (provider_id, provider) do update set updated_at = now(),
       identity_data = auth.identities.identity_data || excluded.identity_data`,
    [userId, email],
  );
}
