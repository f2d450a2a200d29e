import type { Query } from "#backend/postgres/database.ts";
import { type Act, type Actor, asPerson, recorded } from "../audit/recorded.ts";
import type { AuthConfig } from "../auth-config.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Client } from "../requests/call.ts";
import { confirmEmailChange } from "../users/change-email.ts";
import { applyPhone } from "../users/change-phone.ts";
import { findUser, isBanned, isConfirmed, type UserRow } from "../users/user-row.ts";
import { type OneTimeTokenType, type TakenToken, takeToken } from "./one-time-token.ts";

/** What a client may say a code is for, and where such codes are kept. */
export const TOKEN_TYPES: Record<string, readonly OneTimeTokenType[]> = {
  signup: ["confirmation_token"],
  invite: ["confirmation_token"],
  magiclink: ["recovery_token", "confirmation_token"],
  recovery: ["recovery_token"],
  email: ["confirmation_token", "recovery_token"],
  sms: ["confirmation_token", "recovery_token"],
  phone_change: ["phone_change_token"],
  email_change: ["email_change_token_new", "email_change_token_current"],
};

export type Redeemed =
  /** The person is proved. */
  | { user: UserRow }
  /** One of two mailboxes has agreed to a change of address. */
  | "other-mailbox-next"
  /** No such code, or too old. Said, not thrown: that it is spent must be committed. */
  | "expired"
  | "banned";

/** Spends a code and does what it stands for: the mailbox it was sent to is the person's. */
export async function redeem(
  { config }: AuthService,
  query: Query,
  { type, token, client }: { type: string; token: string; client: Client },
): Promise<Redeemed> {
  const taken = await takeToken(query, TOKEN_TYPES[type] ?? [], token, config);
  // Two mailboxes that agree to the same change at once come one after the other.
  if (taken) await query("select from auth.users where id = $1 for update", [taken.userId]);
  const user = taken && (await findUser(query, "id", taken.userId));
  if (!taken || !user) return "expired";
  if (isBanned(user)) return "banned";
  const fault = await carryOut(query, type, taken, user, { ...config, actor: asPerson(user, client) });
  return fault ?? { user: (await findUser(query, "id", user.id)) as UserRow };
}

/** Gives null when it is done. */
async function carryOut(
  query: Query,
  type: string,
  taken: TakenToken,
  user: UserRow,
  { secureEmailChange, actor }: Pick<AuthConfig, "secureEmailChange"> & { actor: Actor },
): Promise<"expired" | "other-mailbox-next" | null> {
  if (type === "email_change") {
    const mailbox =
      taken.type === "email_change_token_new" ? "email_change_token_new" : "email_change_token_current";
    const asked = mailbox === "email_change_token_new" ? user.email_change : user.email;
    if (taken.address !== asked || !user.email_change) return "expired";
    const isDone = await confirmEmailChange(query, user, mailbox, { secureEmailChange, actor });
    return isDone ? null : "other-mailbox-next";
  }
  if (type === "phone_change") {
    if (taken.address !== user.phone_change) return "expired";
    await applyPhone(query, user.id, taken.address, { action: "user_modified", actor });
  } else if (taken.address === user.phone) {
    if (user.phone_confirmed_at == null) {
      await confirmPhone(query, user.id, actor, keepsPassword(taken, user));
    }
  } else if (user.email_confirmed_at == null) {
    await confirmEmail(query, user, actor, keepsPassword(taken, user));
  }
  return null;
}

/**
 * Where nobody confirmed the sign-up itself, its password may be that of a stranger who signed up with somebody's address
 * or number: it must not open the account that is that person's from now on.
 */
function keepsPassword({ type }: TakenToken, user: UserRow): boolean {
  return type === "confirmation_token" || isConfirmed(user);
}

async function confirmEmail(query: Query, user: UserRow, actor: Actor, keepPassword: boolean): Promise<void> {
  const action = user.invited_at == null ? "user_signedup" : "invite_accepted";
  const text = `
    update auth.users set email_confirmed_at = now(), updated_at = now(),
      encrypted_password = case when $2 then encrypted_password end
    where id = $1`;
  await query(
    ...recorded({ action, actor, traits: { provider: "email" } }, text, [user.id, String(keepPassword)]),
  );
  await query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [user.id],
  );
}

async function confirmPhone(
  query: Query,
  userId: string,
  actor: Actor,
  keepPassword: boolean,
): Promise<void> {
  const text = `
    update auth.users set phone_confirmed_at = now(), updated_at = now(),
      encrypted_password = case when $2 then encrypted_password end
    where id = $1`;
  const act: Act = { action: "user_signedup", actor, traits: { provider: "phone" } };
  await query(...recorded(act, text, [userId, String(keepPassword)]));
  await query(
    `update auth.identities set identity_data = identity_data || '{"phone_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'phone'`,
    [userId],
  );
}

export function bannedError(): AuthError {
  return new AuthError(403, "user_banned", "User is banned");
}
