import { hash, randomBytes } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { applyMailDesign, type TemplateValues } from "../messages/mail-template.ts";
import { NOTICE_NAMES, type Notice, writeNotice, writeTextNotice } from "../messages/notices.ts";
import { hookMail, type OutgoingMail } from "../messages/outgoing-mail.ts";
import type { TextMessage } from "../messages/sms-hook.ts";
import type { AccountGuard, AuthConfig } from "../service/auth-config.ts";
import { toUserJson } from "./user-json.ts";
import type { UserRow } from "./user-row.ts";

/** The notice of a change to an account, sent to its owner as mail or text message. */
export type OwnerNotice = { mail: OutgoingMail } | { text: TextMessage };

/** Seconds during which the owner of the old address can take the account back. */
export const UNDO_LINK_LIFETIME = 7 * 24 * 3600;

type Settings = Pick<
  AuthConfig,
  "siteName" | "siteUrl" | "externalUrl" | "accountGuard" | "notifications" | "mailDesigns" | "hooks"
>;

/**
 * Creates the mail that notifies the address `user` had before a change, with a link to take the account back; for an
 * account without an email address, a text message to its number. Null if such notices are off or the account has
 * neither. Without an account guard, the mail has no link.
 */
export async function createOwnerNotice(
  config: Settings,
  query: Query,
  user: UserRow,
  notice: Notice,
  since: string | null = null,
): Promise<OwnerNotice | null> {
  const { siteName, accountGuard, notifications } = config;
  const { email, phone = null } = user;
  if (!(notifications[notice.kind] ?? accountGuard !== null)) return null;
  if (!email) {
    if (!phone) return null;
    return { text: { user: toUserJson(user), phone, notice: writeTextNotice(notice, siteName) } };
  }
  const link = accountGuard && (await storeUndoLink(query, user, accountGuard, since));
  return {
    mail: config.hooks.sendEmail
      ? toHookMail(config, user, notice, link)
      : writeMail(config, user, notice, link),
  };
}

function writeMail(config: Settings, user: UserRow, notice: Notice, link: string | null): OutgoingMail {
  const { siteName, siteUrl, mailDesigns } = config;
  const { email: to = "", raw_user_meta_data: data } = user;
  const values: TemplateValues = {
    ...changedBy(notice, user),
    ConfirmationURL: link ?? "",
    SiteURL: siteUrl,
    SendingTo: to ?? "",
    Data: JSON.parse(data ?? "{}"),
  };
  return applyMailDesign(
    writeNotice(notice, { to: to ?? "", link, siteName }),
    mailDesigns[notice.kind],
    values,
  );
}

function toHookMail(
  { externalUrl }: Settings,
  user: UserRow,
  notice: Notice,
  link: string | null,
): OutgoingMail {
  const { Email: email = "", Phone: phone = "", ...changed } = changedBy(notice, user);
  return hookMail(toUserJson({ ...user, email, phone }), externalUrl, {
    email_action_type: `${NOTICE_NAMES[notice.kind].toLowerCase()}_notification`,
    old_email: changed.OldEmail ?? "",
    old_phone: changed.OldPhone ?? "",
    provider: changed.Provider ?? "",
    factor_type: changed.FactorType ?? "",
    ...(link !== null && { confirmation_url: link }),
  });
}

/** The account's values before and after the change. */
function changedBy(notice: Notice, { email, phone }: UserRow): TemplateValues {
  return {
    Email: notice.kind === "email" ? notice.newEmail : (email ?? ""),
    OldEmail: email ?? "",
    Phone: notice.kind === "phone" ? notice.newPhone : (phone ?? ""),
    OldPhone: phone ?? "",
    Provider: "provider" in notice ? notice.provider : "",
    FactorType: "factorType" in notice ? notice.factorType : "",
  };
}

/** Resolves with the link to take the account back. */
async function storeUndoLink(
  query: Query,
  { id, email = null, phone = null }: UserRow,
  { undoPage }: AccountGuard,
  since: string | null,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await query(
    // Inserts nothing if the account was deleted in the meantime.
    `insert into backend.ways_back (token_hash, user_id, email, phone, since)
     select $1, id, $3, $4, coalesce($5::timestamptz, now()) from auth.users
     where id = $2 and deleted_at is null for key share`,
    [hash("sha256", token), id, email, phone, since],
  );
  // Browsers do not send the fragment to a server, so a mail scanner that opens the link does not spend the token.
  return `${undoPage}#way_back=${token}`;
}
