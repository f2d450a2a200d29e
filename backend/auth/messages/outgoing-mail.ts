import type { Hooks } from "../hooks/create-hooks.ts";
import type { HookInputs } from "../hooks/hook-table.ts";
import type { Mailer, MailMessage } from "./mailer.ts";

/** The input of the operator's send-email hook, in the hosted service's format, and the address of who caused it. */
export type HookMail = HookInputs["sendEmail"] & { ip_address?: string };

/** A complete mail, or the input from which the hook makes one. */
export type OutgoingMail = MailMessage | HookMail;

type EmailData = {
  email_action_type: string;
  token?: string;
  token_hash?: string;
  token_new?: string;
  token_hash_new?: string;
  redirect_to?: string;
  old_email?: string;
  old_phone?: string;
  provider?: string;
  factor_type?: string;
  /** Not in the hosted service: the link in a notice that takes the account back. */
  confirmation_url?: string;
};

export function hookMail(
  user: HookMail["user"],
  externalUrl: string,
  data: EmailData,
  address: string | null = null,
): HookMail {
  const empty = { token: "", token_hash: "", token_new: "", token_hash_new: "", redirect_to: "" };
  const changes = { old_email: "", old_phone: "", provider: "", factor_type: "" };
  const emailData = { ...empty, ...changes, site_url: externalUrl, ...data };
  return { user, email_data: emailData, ...(address !== null && { ip_address: address }) };
}

/** What the mail is about, for the log, without personal data. */
export function titleOf(mail: OutgoingMail): string {
  return "email_data" in mail ? (mail.email_data.email_action_type ?? "") : mail.subject;
}

/** Sends hook inputs to the hook, and mails to the mail server; rejects without one. */
export function createOutgoingMailer(mailer: Mailer | null, hooks: Hooks): Mailer<OutgoingMail> {
  return {
    async send(mail, id) {
      if (!("email_data" in mail)) {
        if (!mailer) throw new Error("no mail server is configured");
        return mailer.send(mail, id);
      }
      const { ip_address: address = null, ...input } = mail;
      await hooks.run("sendEmail", input, address, id);
    },
    close: () => mailer?.close(),
  };
}
