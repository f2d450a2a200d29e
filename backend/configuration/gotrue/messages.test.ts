import { expect, test } from "vitest";
import { readAuthSettings } from "../auth-settings.ts";
import { readSmsProvider } from "./sms-provider.ts";

const twilio = {
  GOTRUE_SMS_PROVIDER: "twilio",
  GOTRUE_SMS_TWILIO_ACCOUNT_SID: "AC1",
  GOTRUE_SMS_TWILIO_AUTH_TOKEN: "secret",
  GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: "MG1",
};

test("an SMS provider is read with its account, and templates with a placeholder for the code", () => {
  expect(readSmsProvider({ ...twilio, GOTRUE_SMS_TEMPLATE: "{{ .Code }} it is" })).toEqual({
    provider: { name: "twilio", accountSid: "AC1", authToken: "secret", sender: "MG1" },
    texts: { code: "{{ .Code }} it is", factorCode: "Your code is {{ .Code }}" },
    note: null,
  });
  expect(readSmsProvider({ ...twilio, GOTRUE_SMS_TWILIO_AUTH_TOKEN: "" })).toMatchObject({
    provider: null,
    note: "GOTRUE_SMS_TWILIO_AUTH_TOKEN is not set: no text message leaves.",
  });
});

test.each([
  [{ GOTRUE_SMS_PROVIDER: "twilio_verify" }, "GOTRUE_SMS_PROVIDER must be one of twilio, messagebird"],
  [{ GOTRUE_SMS_TEMPLATE: "no code" }, "GOTRUE_SMS_TEMPLATE must have {{ .Code }}"],
  [
    { GOTRUE_MFA_PHONE_TEMPLATE: "{{ .Code }} {{ .Name }}" },
    "GOTRUE_MFA_PHONE_TEMPLATE must have {{ .Code }}",
  ],
])("%j is refused", (environment, sentence) => {
  expect(() => readSmsProvider(environment as Record<string, string>)).toThrow(sentence);
});

test.each([
  [{ GOTRUE_MAILER_URLPATHS_INVITE: "https://evil.example" }, "GOTRUE_MAILER_URLPATHS_INVITE must be a path"],
  [{ GOTRUE_MAILER_URLPATHS_INVITE: "//evil.example" }, "GOTRUE_MAILER_URLPATHS_INVITE must be a path"],
  [
    { GOTRUE_MAILER_URLPATHS_INVITE: "https://evil.example/verify", API_EXTERNAL_URL: "https://own.example" },
    "GOTRUE_MAILER_URLPATHS_INVITE must be a path",
  ],
  [{ GOTRUE_SMS_TEST_OTP_VALID_UNTIL: "soon" }, "GOTRUE_SMS_TEST_OTP_VALID_UNTIL must be a time"],
  [{ GOTRUE_RATE_LIMIT_EMAIL_SENT: "some" }, "GOTRUE_RATE_LIMIT_EMAIL_SENT must be a whole number"],
  [{ GOTRUE_RATE_LIMIT_SMS_SENT: "5/day" }, "GOTRUE_RATE_LIMIT_SMS_SENT must be a length of time"],
])("%j is refused as well", (environment, sentence) => {
  expect(() => readAuthSettings(environment as Record<string, string>)).toThrow(sentence);
});

test("test numbers, paths and limits over time have the same meaning as upstream", () => {
  const settings = readAuthSettings({
    GOTRUE_SMS_TEST_OTP: "+1 555 0100:123456, 15550101=654321",
    GOTRUE_SMS_TEST_OTP_VALID_UNTIL: "2026-09-29T08:14:06Z",
    GOTRUE_MAILER_URLPATHS_RECOVERY: "/auth/v1/verify",
    GOTRUE_RATE_LIMIT_EMAIL_SENT: "100/24h",
    GOTRUE_RATE_LIMIT_SMS_SENT: "7",
  });
  expect(settings).toMatchObject({
    smsTestCodes: { 15550100: "123456", 15550101: "654321" },
    smsTestCodesUntil: Date.UTC(2026, 8, 29, 8, 14, 6),
    mailPaths: { recovery: "/auth/v1/verify", magiclink: "/auth/v1/verify" },
    limits: { mailsSent: { points: 100, seconds: 86_400 }, textsSent: { points: 7, seconds: 3600 } },
  });
});

test("a mail's path may be written as an address of this service, as upstream's own tool does", () => {
  const { mailPaths } = readAuthSettings({
    API_EXTERNAL_URL: "http://127.0.0.1:54321/auth/v1",
    GOTRUE_MAILER_URLPATHS_INVITE: "http://127.0.0.1:54321/auth/v1/verify",
  });
  expect(mailPaths).toEqual({ invite: "/auth/v1/verify" });
});
