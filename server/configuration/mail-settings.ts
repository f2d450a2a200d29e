import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import type { Values } from "./environment.ts";
import { StartError } from "./start-error.ts";

/** Mails are taken for arriving where a mail server or a hook is set; otherwise new accounts need none. */
export function readMailSettings(values: Values, { hooks }: Partial<AuthConfig>) {
  const { SMTP_URL: smtpUrl, AUTH_AUTOCONFIRM_EMAIL: autoconfirm } = values;
  const arrives = smtpUrl !== undefined || hooks?.sendEmail !== undefined;
  return {
    /** Absent: mails are written into the data folder. */
    smtpUrl,
    from: values.MAIL_FROM ?? `no-reply@${new URL(values.SITE_URL).hostname}`,
    /** New accounts need no mail to be confirmed. */
    autoconfirm: autoconfirm === undefined ? !arrives : autoconfirm === "true",
    /** Where codes for telephones are posted, and the key that signs them; absent: nobody signs in by telephone. */
    smsHook: readSmsHook(values),
    /** The header in which a proxy names the visitor's address. */
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
