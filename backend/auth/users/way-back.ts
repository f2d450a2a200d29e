import { createHash, randomBytes } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { redesign } from "../messages/mail-template.ts";
import type { MailMessage } from "../messages/mailer.ts";
import { type Notice, writeNotice, writeTextNotice } from "../messages/notices.ts";
import type { TextMessage } from "../messages/sms-hook.ts";
import type { AccountGuard, AuthConfig } from "../service/auth-config.ts";
import { toUserJson } from "./user-json.ts";
import type { UserRow } from "./user-row.ts";

/** What the owner of an account is told of a change, by mail or as a text message. */
export type OwnerNotice = { mail: MailMessage } | { text: TextMessage };

/** Seconds for which the owner of the old address may take the account back. */
export const WAY_BACK_GOOD_FOR = 7 * 24 * 3600;

type Settings = Pick<AuthConfig, "siteName" | "siteUrl" | "accountGuard" | "notifications" | "mailDesigns">;

/**
 * Makes the mail that notifies the address that `user` had before a change, with a link that takes the account back; for
 * an account without an address, a text message to its number. Null where nobody wants it told, and
 * where there is neither; without a guard there is no way back.
 */
export async function createWayBack(
  { siteName, siteUrl, accountGuard, notifications, mailDesigns }: Settings,
  query: Query,
  user: UserRow,
  notice: Notice,
  since: string | null = null,
): Promise<OwnerNotice | null> {
  const { email, phone = null } = user;
  if (!(notifications[notice.kind] ?? accountGuard !== null)) return null;
  if (!email) {
    if (!phone) return null;
    return { text: { user: toUserJson(user), phone, notice: writeTextNotice(notice, siteName) } };
  }
  const link = accountGuard && (await storeWayBack(query, user, accountGuard, since));
  const values = {
    ConfirmationURL: link ?? "",
    SiteURL: siteUrl,
    Email: notice.kind === "email" ? notice.newEmail : email,
    OldEmail: email,
    SendingTo: email,
    Phone: phone ?? "",
    Data: JSON.parse(user.raw_user_meta_data ?? "{}"),
  };
  return {
    mail: redesign(writeNotice(notice, { to: email, link, siteName }), mailDesigns[notice.kind], values),
  };
}

/** Resolves with the link that takes the account back. */
async function storeWayBack(
  query: Query,
  { id, email = null, phone = null }: UserRow,
  { wayBackPage }: AccountGuard,
  since: string | null,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await query(
    `insert into backend.ways_back (token_hash, user_id, email, phone, since)
     values ($1, $2, $3, $4, coalesce($5::timestamptz, now()))`,
    [hashOf(token), id, email, phone, since],
  );
  // Browsers send a fragment to no server, and a mailbox that opens links by itself spends nothing.
  return `${wayBackPage}#way_back=${token}`;
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
