import type { Query } from "#backend/postgres/database.ts";
import { type Actor, type AuditAction, about, recorded } from "../audit/recorded.ts";
import type { AuthService } from "../auth-service.ts";
import { type MailKind, writeMail } from "../mail/templates.ts";
import type { UserRow } from "../users/user-row.ts";
import { beginFlow, type CodeChallenge } from "./flow-state.ts";
import { keepToken, makeCode, type OneTimeTokenType } from "./one-time-token.ts";

/** A mail with a code and a link, as it is about to be sent. */
export type CodeMail = {
  user: UserRow;
  /** Who asked for it. */
  actor: Actor;
  kind: MailKind;
  tokenType: OneTimeTokenType;
  /** Where it goes; what the code is bound to. */
  address: string;
  /** What the account's address is to be changed to. */
  newEmail?: string;
  redirectTo: string;
  challenge?: CodeChallenge | null;
};

/** Which column of the account says when such a mail was sent last. */
const SENT_AT: Record<MailKind, string> = {
  signup: "confirmation_sent_at",
  invite: "confirmation_sent_at",
  magiclink: "recovery_sent_at",
  recovery: "recovery_sent_at",
  email_change: "email_change_sent_at",
  reauthentication: "reauthentication_sent_at",
};

const ASKED: Record<MailKind, AuditAction> = {
  signup: "user_confirmation_requested",
  invite: "user_invited",
  magiclink: "user_recovery_requested",
  recovery: "user_recovery_requested",
  email_change: "user_modified",
  reauthentication: "user_reauthenticate_requested",
};

/** What a mail carries, besides its words. */
export type PreparedCode = { code: string; token: string; link: string };

/** Makes and keeps a new code, without sending it. */
export async function prepareCode(service: AuthService, query: Query, mail: CodeMail): Promise<PreparedCode> {
  const { user, actor, kind, tokenType, address, redirectTo, challenge } = mail;
  const { code, token } = makeCode(address, service.config.otpLength, service.secret);
  await keepToken(query, user.id, tokenType, token, address);
  const isOperators = actor.id !== user.id;
  const act = { action: ASKED[kind], actor, ...(isOperators && { traits: about(user) }) };
  await query(
    ...recorded(act, `update auth.users set ${SENT_AT[kind]} = now(), updated_at = now() where id = $1`, [
      user.id,
    ]),
  );
  if (kind === "invite") await dropUnprovedPassword(query, user.id);
  if (challenge) await beginFlow(query, user.id, kind, challenge);
  const link = new URL(`${service.config.externalUrl}/verify`);
  link.search = new URLSearchParams({
    token: challenge ? `pkce_${token}` : token,
    type: kind,
    redirect_to: redirectTo,
  }).toString();
  return { code, token, link: link.href };
}

/** Makes, keeps and sends a new code. The mail leaves after what it says is committed. */
export async function mailCode(service: AuthService, mail: CodeMail): Promise<void> {
  const { code, link } = await service.database.transaction((query) => prepareCode(service, query, mail));
  const { kind, address: to, newEmail } = mail;
  await service.mailer.send(
    writeMail(kind, { to, code, link, ...(newEmail && { newEmail }), config: service.config }),
  );
}

/** Whoever accepts an invitation confirms no sign-up: a stranger may have made that with the guest's address. */
async function dropUnprovedPassword(query: Query, userId: string): Promise<void> {
  await query(
    "update auth.users set encrypted_password = null where id = $1 and email_confirmed_at is null and phone_confirmed_at is null",
    [userId],
  );
}
