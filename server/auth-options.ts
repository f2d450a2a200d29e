import { join } from "node:path";
import { createOutboxMailer, createSmtpMailer } from "#backend/auth/mail/mailer.ts";
import { createSmsHook } from "#backend/auth/phone/sms-hook.ts";
import type { BackendOptions } from "#backend/backend.ts";
import { findPasswordFault } from "#domain/password-rule.ts";
import type { ServerConfig } from "./config.ts";

/** How the auth service behaves for this site: its addresses, its mail, its password rule. */
export function authOptions(
  { mail, site, siteUrlIsPlaceholder, port, dataDir, auth }: ServerConfig,
  databaseUrl: string,
  report: (line: string) => void,
): NonNullable<BackendOptions["auth"]> {
  // Links must lead somewhere: without an address of the site's own, to this machine.
  const siteUrl = siteUrlIsPlaceholder ? `http://localhost:${port}` : site.siteUrl;
  const from = { name: site.siteName, address: mail.from };
  return {
    databaseUrl,
    siteUrl,
    siteName: site.siteName,
    externalUrl: `${siteUrl}/auth/v1`,
    mailerAutoconfirm: mail.autoconfirm,
    addressHeader: mail.clientAddressHeader ?? null,
    findPasswordFault,
    mailer: mail.smtpUrl
      ? createSmtpMailer(mail.smtpUrl, from)
      : createOutboxMailer(join(dataDir, "outbox"), from, report),
    sms: mail.smsHook ? createSmsHook(mail.smsHook.url, mail.smsHook.secret) : null,
    phoneEnabled: mail.smsHook !== undefined,
    phoneEnroll: mail.smsHook !== undefined,
    phoneVerify: mail.smsHook !== undefined,
    webauthnEnroll: true,
    webauthnVerify: true,
    passkeysEnabled: true,
    log: report,
    ...auth,
  };
}
