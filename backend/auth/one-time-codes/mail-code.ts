import type { Query } from "#backend/postgres/database.ts";
import { type Actor, type AuditAction, about, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import { applyMailDesign } from "../messages/mail-template.ts";
import { type MailKind, writeMail } from "../messages/mail-templates.ts";
import type { MailMessage } from "../messages/mailer.ts";
import { hookMail, type OutgoingMail } from "../messages/outgoing-mail.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import { toUserJson } from "../users/user-json.ts";
import { replaceUnprovedPassword, type UserRow } from "../users/user-row.ts";
import { beginFlow, type CodeChallenge, continueFlow } from "./flow-state.ts";
import { inExchange, makeCode, type OneTimeTokenType, storeToken } from "./one-time-token.ts";

/** For requests that are useless without their mail. @throws AuthError 422 if no mail can be sent */
export function requireMail({ sendsMail }: Pick<AuthService, "sendsMail">): void {
  if (sendsMail) return;
  const message = "Unsupported email provider: no mail server is configured";
  throw new AuthError(422, "email_provider_disabled", message);
}

/** The purpose of a mailed code; a change of address mails one code to each mailbox. */
export type CodeKind = Exclude<MailKind, "email_change"> | "email_change_current" | "email_change_new";

/** A mail with a code and a link. */
export type CodeMail = {
  user: UserRow;
  /** Who requested it. */
  actor: Actor;
  kind: CodeKind;
  /** The recipient, to which the code is bound. */
  address: string;
  /** The account's new address. */
  newEmail?: string;
  redirectTo: string;
  challenge?: CodeChallenge | null;
  /** A resent mail: the code remains exchangeable only by the browser that requested the first mail. */
  isRepeated?: boolean;
};

type Kind = { mail: MailKind; tokenType: OneTimeTokenType; sentAt: string; action: AuditAction };

const ofChange = { mail: "email_change", sentAt: "email_change_sent_at", action: "user_modified" } as const;

/** Per kind: the mail, its token type, the column with the time it was sent, and the audit action. */
const KINDS: Record<CodeKind, Kind> = {
  signup: {
    mail: "signup",
    tokenType: "confirmation_token",
    sentAt: "confirmation_sent_at",
    action: "user_confirmation_requested",
  },
  invite: {
    mail: "invite",
    tokenType: "confirmation_token",
    sentAt: "confirmation_sent_at",
    action: "user_invited",
  },
  magiclink: {
    mail: "magiclink",
    tokenType: "recovery_token",
    sentAt: "recovery_sent_at",
    action: "user_recovery_requested",
  },
  recovery: {
    mail: "recovery",
    tokenType: "recovery_token",
    sentAt: "recovery_sent_at",
    action: "user_recovery_requested",
  },
  email_change_current: { ...ofChange, tokenType: "email_change_token_current" },
  email_change_new: { ...ofChange, tokenType: "email_change_token_new" },
  reauthentication: {
    mail: "reauthentication",
    tokenType: "reauthentication_token",
    sentAt: "reauthentication_sent_at",
    action: "user_reauthenticate_requested",
  },
};

/** The code and link in a mail. */
export type PreparedCode = { code: string; token: string; link: string };

/** Creates and stores a code, without sending it. */
export async function prepareCode(service: AuthService, query: Query, mail: CodeMail): Promise<PreparedCode> {
  const { user, actor, kind, address, redirectTo } = mail;
  const { mail: type, tokenType, sentAt, action } = KINDS[kind];
  const { code, token: bare } = makeCode(address, service.config.otpLength, service.secret);
  const token = (await isForExchange(query, mail)) ? inExchange(bare) : bare;
  await storeToken(query, user.id, tokenType, token, address);
  const isOperators = actor.id !== user.id;
  const act = { action, actor, ...(isOperators && { traits: about(user) }) };
  // Also an account that someone signed up with the address before, as an invited one is the operator's.
  const invited = kind === "invite" ? "invited_at = now(), " : "";
  const text = `update auth.users set ${invited}${sentAt} = now(), updated_at = now() where id = $1`;
  await query(...recorded(act, text, [user.id]));
  // Accepting an invitation must not confirm the password of an earlier sign-up, which a stranger may have made with
  // the guest's address.
  if (kind === "invite") await replaceUnprovedPassword(query, user.id, null);
  const { externalUrl, mailPaths } = service.config;
  const path = mailPaths[type];
  const link = path ? new URL(path, externalUrl) : new URL(`${externalUrl}/verify`);
  link.search = new URLSearchParams({ token, type, redirect_to: redirectTo }).toString();
  return { code, token, link: link.href };
}

async function isForExchange(
  query: Query,
  { user, kind, challenge, isRepeated }: CodeMail,
): Promise<boolean> {
  const { mail } = KINDS[kind];
  if (isRepeated && (await continueFlow(query, user.id, mail))) return true;
  if (!challenge) return false;
  await beginFlow(query, user.id, mail, challenge);
  return true;
}

/** Creates, stores and sends a code. The mail is sent after the code is committed. */
export async function mailCode(service: AuthService, mail: CodeMail): Promise<void> {
  await service.mailer.send(await service.database.transaction((query) => prepareMail(service, query, mail)));
}

/** Same as `mailCode` without sending, for callers that commit more in the same transaction. */
async function prepareMail(service: AuthService, query: Query, mail: CodeMail): Promise<OutgoingMail> {
  const prepared = await prepareCode(service, query, mail);
  return service.config.hooks.sendEmail
    ? toHookMail(service.config, mail, { of: prepared })
    : writeMailOf(service.config, mail, prepared);
}

/**
 * The mails of a change of address: to the new mailbox and, if it must agree, to the old one. A send-email hook gets
 * one input for both.
 */
export async function prepareChangeMails(
  service: AuthService,
  query: Query,
  change: Omit<CodeMail, "kind" | "address" | "newEmail"> & { newEmail: string },
  asksOld: boolean,
): Promise<OutgoingMail[]> {
  const { config } = service;
  const toNew: CodeMail = { ...change, kind: "email_change_new", address: change.newEmail };
  const { email } = change.user;
  if (!asksOld || !email) return [await prepareMail(service, query, toNew)];
  const toOld: CodeMail = { ...change, kind: "email_change_current", address: email };
  const old = await prepareCode(service, query, toOld);
  const prepared = await prepareCode(service, query, toNew);
  if (config.hooks.sendEmail) return [toHookMail(config, toNew, { of: prepared, old })];
  return [writeMailOf(config, toOld, old), writeMailOf(config, toNew, prepared)];
}

/**
 * As in the hosted service: if both mailboxes must agree, `token` and `token_hash_new` go to the old one, `token_new`
 * and `token_hash` to the new one.
 */
function toHookMail(
  { externalUrl }: AuthConfig,
  { user, actor, kind, newEmail, redirectTo }: CodeMail,
  { of, old }: { of: PreparedCode; old?: PreparedCode },
): OutgoingMail {
  const changed = newEmail ? { ...user, email_change: newEmail } : user;
  const data = {
    email_action_type: KINDS[kind].mail,
    token: (old ?? of).code,
    token_hash: of.token,
    ...(old && { token_new: of.code, token_hash_new: old.token }),
    redirect_to: redirectTo,
  };
  return hookMail(toUserJson(changed), externalUrl, data, actor.address);
}

function writeMailOf(config: AuthConfig, mail: CodeMail, { code, token, link }: PreparedCode): MailMessage {
  const { user, kind, address: to, newEmail, redirectTo } = mail;
  const type = KINDS[kind].mail;
  const ours = writeMail(type, { ...config, to, code, link, ...(newEmail && { newEmail }) });
  return applyMailDesign(ours, config.mailDesigns[type], {
    ConfirmationURL: link,
    Token: code,
    TokenHash: token,
    SiteURL: config.siteUrl,
    RedirectTo: redirectTo,
    Email: user.email ?? to,
    NewEmail: newEmail ?? "",
    SendingTo: to,
    Phone: user.phone ?? "",
    Data: JSON.parse(user.raw_user_meta_data ?? "{}"),
  });
}
