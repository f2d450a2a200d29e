import type { Environment } from "../variables.ts";
import { flag, list, type SettingRows, wholeNumber } from "./setting.ts";

const codeLength = { min: 6, max: 10 };

export const messageSettings = {
  mailerAutoconfirm: flag("GOTRUE_MAILER_AUTOCONFIRM"),
  secureEmailChange: flag("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED"),
  otpExpiry: wholeNumber("GOTRUE_MAILER_OTP_EXP", { min: 60, max: 86_400 }),
  otpLength: wholeNumber("GOTRUE_MAILER_OTP_LENGTH", codeLength),
  smsAutoconfirm: flag("GOTRUE_SMS_AUTOCONFIRM"),
  smsOtpExpiry: wholeNumber("GOTRUE_SMS_OTP_EXP", { min: 30, max: 86_400 }),
  smsTestCodes: readTestCodes,
} satisfies SettingRows;

/** `4915112345678:123456,…` or with `=` */
function readTestCodes(environment: Environment): Record<string, string> | null {
  const entries = list("GOTRUE_SMS_TEST_OTP")(environment);
  return entries && Object.fromEntries(entries.map((entry) => entry.split(/[=:]/, 2)));
}
