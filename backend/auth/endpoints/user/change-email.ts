import type { Actor } from "../../audit/recorded.ts";
import { takeMail } from "../../limits/account-limits.ts";
import type { CodeChallenge } from "../../one-time-codes/flow-state.ts";
import { prepareChangeMails, requireMail } from "../../one-time-codes/mail-code.ts";
import type { AuthConfig } from "../../service/auth-config.ts";
import type { AuthService } from "../../service/auth-service.ts";
import type { Proved } from "../../sessions/recent-proof.ts";
import { changeAddress } from "../../users/change-address.ts";
import { createOwnerNotice } from "../../users/owner-notice.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { refuseTaken } from "../../users/taken-address.ts";
import type { UserRow } from "../../users/user-row.ts";
import type { AccountChange } from "./account-change.ts";

/** Before the address changes, mails a code to the new mailbox and, if both must agree, to the old one. */
export async function requestEmailChange(
  service: AuthService,
  { user }: Proved,
  newEmail: string,
  { actor, redirectTo, challenge }: { actor: Actor; redirectTo: string; challenge: CodeChallenge | null },
): Promise<AccountChange> {
  const { config, database, limits, mailer } = service;
  const isAtOnce = changesAtOnce(user, config);
  if (!isAtOnce) requireMail(service);
  // Counted before the address is looked up, so that nobody can mail a list of strangers or find out which have
  // accounts. Also counted if the change needs no mail, since the new address's owner is notified of the next change.
  await takeMail(limits, user.id);
  await refuseTaken(database.query, { email: newEmail });
  await takeMail(limits, newEmail);
  if (isAtOnce) {
    return async (query) => {
      await changeAddress(query, user.id, "email", newEmail, { action: "user_modified", actor }, "accepted");
      const notice = await createOwnerNotice(config, query, user, { kind: "email", newEmail });
      return () => sendNotice(service, notice);
    };
  }
  const mail = { user, actor, newEmail, redirectTo, challenge };
  return async (query) => {
    await query(
      "update auth.users set email_change = $2, email_change_confirm_status = 0, updated_at = now() where id = $1",
      [user.id, newEmail],
    );
    const mails = await prepareChangeMails(service, query, mail, config.secureEmailChange);
    return async () => {
      for (const message of mails) await mailer.send(message);
    };
  };
}

/**
 * Even if sign-ups need no confirmation, a stolen token must not move an account to another mailbox unnoticed: the
 * mailboxes have to agree, as in the hosted service, unless the account guard notifies the old one with a way back. An
 * anonymous account has no old one.
 */
function changesAtOnce(user: UserRow, { mailerAutoconfirm, accountGuard }: AuthConfig): boolean {
  return mailerAutoconfirm && (accountGuard !== null || user.is_anonymous === "t");
}
