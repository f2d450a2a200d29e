import type { MailKind } from "#backend/auth/messages/mail-templates.ts";
import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { type Environment, refuse } from "../variables.ts";
import { flag, list, type SettingRows, text, wholeNumber } from "./setting.ts";

const codeLength = { min: 6, max: 10 };

export const messageSettings = {
  mailerAutoconfirm: flag("GOTRUE_MAILER_AUTOCONFIRM"),
  secureEmailChange: flag("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED"),
  otpExpiry: wholeNumber("GOTRUE_MAILER_OTP_EXP", { min: 60, max: 86_400 }),
  otpLength: wholeNumber("GOTRUE_MAILER_OTP_LENGTH", codeLength),
  mailPaths: readMailPaths,
  smsAutoconfirm: flag("GOTRUE_SMS_AUTOCONFIRM"),
  smsOtpExpiry: wholeNumber("GOTRUE_SMS_OTP_EXP", { min: 30, max: 86_400 }),
  smsOtpLength: wholeNumber("GOTRUE_SMS_OTP_LENGTH", codeLength),
  smsTestCodes: readTestCodes,
  smsTestCodesUntil: readTestCodesUntil,
} satisfies SettingRows;

/** A magic link leads to the path for recovery links unless it has one of its own. */
const PATHS: Record<Exclude<MailKind, "reauthentication">, readonly string[]> = {
  signup: ["GOTRUE_MAILER_URLPATHS_CONFIRMATION"],
  invite: ["GOTRUE_MAILER_URLPATHS_INVITE"],
  recovery: ["GOTRUE_MAILER_URLPATHS_RECOVERY"],
  magiclink: ["GOTRUE_MAILER_URLPATHS_MAGIC_LINK", "GOTRUE_MAILER_URLPATHS_RECOVERY"],
  email_change: ["GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE"],
};

function readMailPaths(environment: Environment): AuthConfig["mailPaths"] | null {
  const paths = Object.entries(PATHS).flatMap(([kind, variables]) => {
    const found = variables.find((variable) => text(variable)(environment) !== null);
    if (found === undefined) return [];
    const path = pathOf(text(found)(environment) as string, text("API_EXTERNAL_URL")(environment));
    return [[kind, path ?? refuse(found, "must be a path such as /verify")]];
  });
  return paths.length > 0 ? Object.fromEntries(paths) : null;
}

/**
 * Upstream's own tool writes the whole address. Null for one of another host, which would get everyone's links: the
 * codes in them sign in.
 */
function pathOf(written: string, externalUrl: string | null): string | null {
  if (/^\/(?!\/)/.test(written)) return written;
  if (externalUrl === null || !/^https?:\/\//.test(written) || !URL.canParse(written)) return null;
  const { origin, pathname } = new URL(written);
  return URL.canParse(externalUrl) && origin === new URL(externalUrl).origin ? pathname : null;
}

/** `4915112345678:123456,…` or with `=`; as upstream, a number may contain `+` and spaces. */
function readTestCodes(environment: Environment): Record<string, string> | null {
  const entries = list("GOTRUE_SMS_TEST_OTP")(environment);
  return (
    entries &&
    Object.fromEntries(
      entries.map((entry) => {
        const [phone = "", code = ""] = entry.split(/[=:]/, 2);
        return [phone.replace(/^\+|\s/g, ""), code.trim()];
      }),
    )
  );
}

const UNTIL = "GOTRUE_SMS_TEST_OTP_VALID_UNTIL";

function readTestCodesUntil(environment: Environment): number | null {
  const date = text(UNTIL)(environment);
  if (date === null) return null;
  const until = Date.parse(date);
  return Number.isNaN(until) ? refuse(UNTIL, "must be a time such as 2026-09-29T08:14:06Z") : until;
}
