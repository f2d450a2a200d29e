import { join } from "node:path";
import { createOutboxMailer, createSmtpMailer } from "#backend/auth/messages/mailer.ts";
import { createQueuedMailer } from "#backend/auth/messages/queued-mailer.ts";
import type { BackendOptions } from "#backend/backend.ts";
import type { Log } from "#backend/log/log.ts";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import { EMAIL_FAULT } from "#domain/people/credentials.ts";
import { findPasswordFault } from "#domain/people/password-rule.ts";
import { linkBase, type ServerConfig } from "./config.ts";

const LOCAL_ISSUER = /^http:\/\/localhost:\d+\/auth\/v1$/;

/** Tells a banned user who knows the password until when and why (supabase/schemas/moderation/bans.sql). */
const EXPLAIN_BAN = { sqlName: '"private"."explain_ban"' };

/** Options of the auth service for this site: its addresses, mail and password rule. */
export function authOptions(
  config: ServerConfig,
  logins: { databaseUrl: string; directUrl?: string },
  processGroup: ProcessGroup,
  log: Log,
): NonNullable<BackendOptions["auth"]> {
  const { mail, site, siteUrlIsPlaceholder, dataDir, auth } = config;
  const siteUrl = linkBase(config);
  const from = { name: site.siteName, address: mail.from };
  const hooks = {
    passwordAttempt: EXPLAIN_BAN,
    ...(mail.smsHook && { sendSms: mail.smsHook }),
    ...auth.hooks,
  };
  const hasSms = hooks.sendSms !== undefined;
  const { directUrl: databaseUrl = logins.databaseUrl } = logins;
  return {
    ...logins,
    siteUrl,
    siteName: site.siteName,
    externalUrl: `${siteUrl}/auth/v1`,
    // Several processes on this machine may share a database, each on a port of its own.
    ...(siteUrlIsPlaceholder && { isIssuer: (issuer) => LOCAL_ISSUER.test(issuer) }),
    mailerAutoconfirm: mail.autoconfirm,
    findPasswordFault,
    emailFault: EMAIL_FAULT,
    ownNames: [site.siteName, site.gameName, site.gameCompany],
    accountGuard: { proofSeconds: 10 * 60, undoPage: `${siteUrl}/auth` },
    mailer: mail.smtpUrl
      ? createSmtpMailer(mail.smtpUrl, from)
      : createOutboxMailer(join(dataDir, "outbox"), from, log),
    ...((mail.smtpUrl || hooks.sendEmail) && {
      queue: (deliver) => createQueuedMailer({ databaseUrl, deliver, handsOn: processGroup.isLeader, log }),
    }),
    phoneEnabled: hasSms,
    phoneEnroll: hasSms,
    phoneVerify: hasSms,
    webauthnEnroll: true,
    webauthnVerify: true,
    recoveryCodes: true,
    passkeysEnabled: true,
    manualLinking: true,
    // The site never asks for real names or photos, so none are kept from a provider (P62).
    providerProfiles: false,
    flowStateExpiry: 10 * 60,
    log,
    ...auth,
    hooks,
  };
}
