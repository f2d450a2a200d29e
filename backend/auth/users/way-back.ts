import { createHash, randomBytes } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import type { MailMessage } from "../messages/mailer.ts";
import { type Notice, writeNotice } from "../messages/notices.ts";
import type { UserRow } from "./user-row.ts";

/** Seconds for which the owner of the old address may take the account back. */
export const WAY_BACK_GOOD_FOR = 7 * 24 * 3600;

type Settings = { siteName: string; accountGuard: { wayBackPage: string } | null };

/**
 * Makes the mail that notifies the address that `user` had before a change, with a link that takes the account back.
 * Null without a guard, and for accounts without an address.
 */
export async function createWayBack(
  { siteName, accountGuard }: Settings,
  query: Query,
  user: UserRow,
  notice: Notice,
  since: string | null = null,
): Promise<MailMessage | null> {
  const { email, phone = null } = user;
  if (!accountGuard || !email) return null;
  const token = randomBytes(32).toString("base64url");
  await query(
    `insert into backend.ways_back (token_hash, user_id, email, phone, since)
     values ($1, $2, $3, $4, coalesce($5::timestamptz, now()))`,
    [hashOf(token), user.id, email, phone, since],
  );
  // Browsers send a fragment to no server, and a mailbox that opens links by itself spends nothing.
  const link = `${accountGuard.wayBackPage}#way_back=${token}`;
  return writeNotice(notice, { to: email, link, siteName });
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
