import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import type { Values } from "./environment.ts";
import { StartError } from "./start-error.ts";

/** Mail counts as deliverable if a mail server or a mail hook is set; otherwise new accounts need no confirmation. */
export function readMailSettings(values: Values, { hooks }: Partial<AuthConfig>) {
  const { SMTP_URL: smtpUrl, AUTH_AUTOCONFIRM_EMAIL: autoconfirm } = values;
  const arrives = smtpUrl !== undefined || hooks?.sendEmail !== undefined;
  return {
    /** Absent: mails are written into the data folder. */
    smtpUrl,
    from: values.MAIL_FROM ?? `no-reply@${new URL(values.SITE_URL).hostname}`,
    /** Whether new accounts need no confirmation mail. */
    autoconfirm: autoconfirm === undefined ? !arrives : autoconfirm === "true",
    /** Webhook that sends SMS codes, and its signing key; absent: no sign-in by phone. */
    smsHook: readSmsHook(values),
    /** The header in which a proxy passes the client's address. */
    clientAddressHeader: values.CLIENT_ADDRESS_HEADER,
  };
}

function readSmsHook({
  SMS_HOOK_URL: url,
  SMS_HOOK_SECRET: secret,
}: Values): { url: string; keys: string[] } | undefined {
  if (!url && !secret) return undefined;
  if (!secret) throw new StartError("SMS_HOOK_URL is set, so SMS_HOOK_SECRET must be set as well.");
  if (!url) throw new StartError("SMS_HOOK_SECRET is set, so SMS_HOOK_URL must be set as well.");
  return { url, keys: [secret.replace(/^v1,whsec_/, "")] };
}
