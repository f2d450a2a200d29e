import { join } from "node:path";
import { createOutboxMailer, createSmtpMailer } from "#backend/auth/messages/mailer.ts";
import { createQueuedMailer } from "#backend/auth/messages/queued-mailer.ts";
import type { BackendOptions } from "#backend/backend.ts";
import type { Log } from "#backend/log/log.ts";
import { findPasswordFault } from "#domain/people/password-rule.ts";
import type { ServerConfig } from "./config.ts";

const LOCAL_ISSUER = /^http:\/\/localhost:\d+\/auth\/v1$/;

/** How the auth service behaves for this site: its addresses, its mail, its password rule. */
export function authOptions(
  { mail, site, siteUrlIsPlaceholder, port, dataDir, auth }: ServerConfig,
  databaseUrl: string,
  log: Log,
): NonNullable<BackendOptions["auth"]> {
  // Links must lead somewhere: without an address of the site's own, to this machine.
  const siteUrl = siteUrlIsPlaceholder ? `http://localhost:${port}` : site.siteUrl;
  const from = { name: site.siteName, address: mail.from };
  const hooks = { ...(mail.smsHook && { sendSms: mail.smsHook }), ...auth.hooks };
  const hasSms = hooks.sendSms !== undefined;
  return {
    databaseUrl,
    siteUrl,
    siteName: site.siteName,
    externalUrl: `${siteUrl}/auth/v1`,
    // Several processes on this machine share a database, each on a port of its own.
    ...(siteUrlIsPlaceholder && { isIssuer: (issuer) => LOCAL_ISSUER.test(issuer) }),
    mailerAutoconfirm: mail.autoconfirm,
    findPasswordFault,
    accountGuard: { proofSeconds: 10 * 60, wayBackPage: `${siteUrl}/auth` },
    mailer: mail.smtpUrl
      ? createSmtpMailer(mail.smtpUrl, from)
      : createOutboxMailer(join(dataDir, "outbox"), from, log),
    ...((mail.smtpUrl || hooks.sendEmail) && {
      queue: (deliver) => createQueuedMailer({ databaseUrl, deliver, log }),
    }),
    phoneEnabled: hasSms,
    phoneEnroll: hasSms,
    phoneVerify: hasSms,
    webauthnEnroll: true,
    webauthnVerify: true,
    recoveryCodes: true,
    passkeysEnabled: true,
    manualLinking: true,
    // Nobody is asked for a name or a picture of theirs, so none is kept (P62).
    providerProfiles: false,
    flowStateExpiry: 10 * 60,
    log,
    ...auth,
    hooks,
  };
}
