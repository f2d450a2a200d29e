import { createHash, randomBytes } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import type { MailMessage } from "../messages/mailer.ts";
import { type Notice, writeNotice, writeTextNotice } from "../messages/notices.ts";
import type { TextMessage } from "../messages/sms-hook.ts";
import { toUserJson } from "./user-json.ts";
import type { UserRow } from "./user-row.ts";

/** What the owner of an account is told of a change, by mail or as a text message. */
export type OwnerNotice = { mail: MailMessage } | { text: TextMessage };

/** Seconds for which the owner of the old address may take the account back. */
export const WAY_BACK_GOOD_FOR = 7 * 24 * 3600;

type Settings = { siteName: string; accountGuard: { wayBackPage: string } | null };

/**
 * Makes the mail that notifies the address that `user` had before a change, with a link that takes the account back; for
 * an account without an address, a text message to its number. Null without a guard, and where there is neither.
 */
export async function createWayBack(
  { siteName, accountGuard }: Settings,
  query: Query,
  user: UserRow,
  notice: Notice,
  since: string | null = null,
): Promise<OwnerNotice | null> {
  const { email, phone = null } = user;
  if (!accountGuard) return null;
  if (!email) {
    if (!phone) return null;
    return { text: { user: toUserJson(user), phone, notice: writeTextNotice(notice, siteName) } };
  }
  const token = randomBytes(32).toString("base64url");
  await query(
    `insert into backend.ways_back (token_hash, user_id, email, phone, since)
     values ($1, $2, $3, $4, coalesce($5::timestamptz, now()))`,
    [hashOf(token), user.id, email, phone, since],
  );
  // Browsers send a fragment to no server, and a mailbox that opens links by itself spends nothing.
  const link = `${accountGuard.wayBackPage}#way_back=${token}`;
  return { mail: writeNotice(notice, { to: email, link, siteName }) };
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
