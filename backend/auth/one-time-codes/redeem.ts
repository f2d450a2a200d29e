import type { Query } from "#backend/postgres/database.ts";
import { type Actor, asPerson } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { Client } from "../requests/call.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import {
  changeAddress,
  confirmAddress,
  confirmEmailChange,
  confirmIdentity,
} from "../users/change-address.ts";
import { replaceUnconfirmedMetadata } from "../users/metadata.ts";
import { createOwnerNotice, type OwnerNotice } from "../users/owner-notice.ts";
import { isAddressProved } from "../users/proved-address.ts";
import { restoreAccount } from "../users/restore-account.ts";
import { findUser, isBanned, isConfirmed, lockUser, type UserRow } from "../users/user-row.ts";
import { type OneTimeTokenType, type TakenToken, takeToken } from "./one-time-token.ts";

/** Types that a client may name, with the token types each accepts. */
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
  /** The user is authenticated. */
  | { user: UserRow; method: "otp" | "recovery"; notice: OwnerNotice | null }
  /** One of two mailboxes has agreed to a change of address. */
  | "other-mailbox-next"
  /** The code is unknown or too old. Returned, not thrown, since its deletion must be committed. */
  | "expired"
  | "banned";

/**
 * Spends a code, stored as one of `tokens`, and performs its action: the code proves that the mailbox or number is the
 * user's.
 */
export async function redeem(
  service: AuthService,
  query: Query,
  { type, tokens, client }: { type: string; tokens: readonly string[]; client: Client },
): Promise<Redeemed> {
  const { config } = service;
  const method = methodOf(type, config);
  const taken = await takeToken(query, TOKEN_TYPES[type] ?? [], tokens, config);
  const owner =
    taken === null && method === "recovery"
      ? await restoreAccount(query, tokens[0] ?? "", { config, origin: client })
      : null;
  if (owner) return { user: owner, method, notice: null };
  // Serializes concurrent confirmations of one change from both mailboxes.
  if (taken) await lockUser(query, taken.userId);
  const user = taken && (await findUser(query, "id", taken.userId));
  if (!taken || !user) return "expired";
  if (isBanned(user)) return "banned";
  const fault = await apply(query, type, taken, user, { ...config, actor: asPerson(user, client) });
  if (fault) return fault;
  const after = (await findUser(query, "id", user.id)) as UserRow;
  // The database may ban who confirms an address that is known to it.
  if (isBanned(after)) return "banned";
  return { user: after, method, notice: await noticeOf(config, query, user, after) };
}

/** With the account guard, a session records that it came from a forgotten password, until a new one is chosen. */
export function methodOf(type: string, { accountGuard }: AuthConfig): "otp" | "recovery" {
  return accountGuard && type === "recovery" ? "recovery" : "otp";
}

/** The notice to the owner of the former address, or of an account that had no number before. */
function noticeOf(config: AuthConfig, query: Query, before: UserRow, after: UserRow) {
  if (before.email !== after.email) {
    return createOwnerNotice(config, query, before, { kind: "email", newEmail: after.email ?? "" });
  }
  if (before.phone === after.phone) return null;
  return createOwnerNotice(config, query, before, { kind: "phone", newPhone: after.phone ?? "" });
}

/** Resolves with null on success. */
async function apply(
  query: Query,
  type: string,
  taken: TakenToken,
  user: UserRow,
  {
    secureEmailChange,
    mailerAutoconfirm,
    actor,
  }: Pick<AuthConfig, "secureEmailChange" | "mailerAutoconfirm"> & { actor: Actor },
): Promise<"expired" | "other-mailbox-next" | null> {
  if (type === "email_change") {
    const mailbox =
      taken.type === "email_change_token_new" ? "email_change_token_new" : "email_change_token_current";
    const expected = mailbox === "email_change_token_new" ? user.email_change : user.email;
    if (taken.address !== expected || !user.email_change) return "expired";
    const isDone = await confirmEmailChange(query, user, mailbox, { secureEmailChange, actor });
    return isDone ? null : "other-mailbox-next";
  }
  if (type === "phone_change") {
    if (taken.address !== user.phone_change) return "expired";
    await changeAddress(query, user.id, "phone", taken.address, { action: "user_modified", actor });
    return null;
  }
  // The metadata of an unconfirmed sign-up may be a stranger's.
  if (type === "recovery") await replaceUnconfirmedMetadata(query, user, {});
  const by = taken.address === user.phone ? "phone" : "email";
  // The password may be a stranger's, too, and must not open the owner's account, unless the sign-up itself is being
  // confirmed.
  const keepsPassword = taken.type === "confirmation_token" || isConfirmed(user);
  if (user[`${by}_confirmed_at`] == null) await confirmAddress(query, user, by, { actor, keepsPassword });
  else if (by === "email" && !isAddressProved(user, { mailerAutoconfirm })) {
    await confirmIdentity(query, user.id, by);
  }
  return null;
}

export function bannedError(): AuthError {
  return new AuthError(403, "user_banned", "User is banned");
}
