import type { Limit, LimitedAction } from "#backend/auth/limits/rate-limits.ts";
import { passwordPolicy } from "#backend/auth/passwords/password-policy.ts";
import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { defaultAuthConfig } from "#backend/auth/service/auth-defaults.ts";
import { type Environment, fail, Variables } from "./variables.ts";

const anySeconds = { min: 1, max: 2 ** 31 - 1 };
const anyCount = { min: 1, max: 1_000_000 };

/**
 * Reads the hosted service's variables (`GOTRUE_…`), each of which has the meaning it has there; what is not set is left
 * out. Throws a `ConfigurationError` of one sentence.
 */
export function readAuthSettings(environment: Environment): Partial<AuthConfig> {
  const variables = new Variables(environment, "GOTRUE");
  const settings = {
    ...readSwitches(variables),
    ...readDurations(variables),
    siteUrl: variables.text("site-url"),
    uriAllowList: variables.list("uri-allow-list"),
    otpLength: variables.integer("mailer-otp-length", { min: 6, max: 10 }),
    ...readFactorSizes(variables),
    relyingParty: readRelyingParty(variables),
    addressHeader: variables.text("rate-limit-header"),
    smsTestCodes: readTestCodes(variables),
    findPasswordFault: readPasswordPolicy(variables),
    captcha: readCaptcha(variables),
    limits: readLimits(variables),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

function readSwitches(variables: Variables) {
  return {
    disableSignup: variables.boolean("disable-signup"),
    manualLinking: variables.boolean("security-manual-linking-enabled"),
    singleSession: variables.boolean("sessions-single-per-user"),
    emailEnabled: variables.boolean("external-email-enabled"),
    phoneEnabled: variables.boolean("external-phone-enabled"),
    mailerAutoconfirm: variables.boolean("mailer-autoconfirm"),
    smsAutoconfirm: variables.boolean("sms-autoconfirm"),
    secureEmailChange: variables.boolean("mailer-secure-email-change-enabled"),
    requireCurrentPassword: variables.boolean("security-update-password-require-current-password"),
    reauthenticateForPassword: variables.boolean("security-update-password-require-reauthentication"),
    totpEnroll: variables.boolean("mfa-totp-enroll-enabled"),
    totpVerify: variables.boolean("mfa-totp-verify-enabled"),
    phoneEnroll: variables.boolean("mfa-phone-enroll-enabled"),
    phoneVerify: variables.boolean("mfa-phone-verify-enabled"),
    webauthnEnroll: variables.boolean("mfa-web-authn-enroll-enabled"),
    webauthnVerify: variables.boolean("mfa-web-authn-verify-enabled"),
    passkeysEnabled: variables.boolean("passkey-enabled"),
  };
}

function readDurations(variables: Variables) {
  return {
    accessTokenLifetime: variables.integer("jwt-exp", { min: 60, max: 604_800 }),
    smsOtpExpiry: variables.integer("sms-otp-exp", { min: 30, max: 86_400 }),
    otpExpiry: variables.integer("mailer-otp-exp", { min: 60, max: 86_400 }),
    reuseInterval: variables.integer("security-refresh-token-reuse-interval", { min: 0, max: 3600 }),
    sessionTimebox: variables.seconds("sessions-timebox"),
    lowAalFor: variables.seconds("sessions-allow-low-aal"),
    auditRetention: variables.seconds("audit-log-retention"),
    unconfirmedRetention: variables.seconds("unconfirmed-account-retention"),
    sessionInactivity: variables.seconds("sessions-inactivity-timeout"),
    challengeExpiry: variables.integer("mfa-challenge-expiry-duration", anySeconds),
    factorExpiry: variables.seconds("mfa-factor-expiry-duration"),
    passkeyChallengeExpiry: variables.seconds("webauthn-challenge-expiry-duration"),
  };
}

function readFactorSizes(variables: Variables) {
  return {
    maxFactors: variables.integer("mfa-max-enrolled-factors", anyCount),
    maxVerifiedFactors: variables.integer("mfa-max-verified-factors", anyCount),
    phoneFactorCodeLength: variables.integer("mfa-phone-otp-length", { min: 6, max: 10 }),
    maxPasskeys: variables.integer("passkey-max-passkeys-per-user", anyCount),
  };
}

/** An origin must be of the id's own name or of one below it: browsers refuse all others (WebAuthn Level 3, §5.1.3). */
function readRelyingParty(variables: Variables): AuthConfig["relyingParty"] | null {
  const id = variables.text("webauthn-rp-id");
  const name = variables.text("webauthn-rp-display-name");
  const origins = variables.list("webauthn-rp-origins");
  if (id === null && name === null && origins === null) return null;
  if (id !== null && !/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(id)) {
    fail("webauthn-rp-id", "must be the site's host name, without protocol and port", "GOTRUE");
  }
  for (const origin of origins ?? []) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      fail("webauthn-rp-origins", "must list origins such as https://site.example", "GOTRUE");
    }
    const { hostname } = new URL(origin);
    if (id !== null && hostname !== id && !hostname.endsWith(`.${id}`)) {
      fail("webauthn-rp-origins", "must list origins of GOTRUE_WEBAUTHN_RP_ID's own host", "GOTRUE");
    }
  }
  return { id, name, origins };
}

/** `4915112345678:123456,…` or with `=` */
function readTestCodes(variables: Variables): Record<string, string> | null {
  const entries = variables.list("sms-test-otp");
  return entries && Object.fromEntries(entries.map((entry) => entry.split(/[=:]/, 2)));
}

const CAPTCHA_MAKERS = {
  hcaptcha: "https://hcaptcha.com/siteverify",
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
};

function readCaptcha(variables: Variables): AuthConfig["captcha"] {
  if (!variables.boolean("security-captcha-enabled")) return null;
  const maker = variables.oneOf("security-captcha-provider", ["hcaptcha", "turnstile"]) ?? "hcaptcha";
  const secret =
    variables.text("security-captcha-secret") ??
    fail("security-captcha-secret", "must be set when a captcha is asked for", "GOTRUE");
  const timeout = variables.seconds("security-captcha-timeout") ?? 10;
  return { secret, verifyUrl: CAPTCHA_MAKERS[maker], timeout };
}

function readPasswordPolicy(variables: Variables): AuthConfig["findPasswordFault"] | null {
  const minLength = variables.integer("password-min-length", { min: 6, max: 128 });
  const groups = variables.text("password-required-characters");
  if (minLength === null && groups === null) return null;
  return passwordPolicy({ minLength: minLength ?? 6, requiredCharacters: splitGroups(groups) });
}

/** Groups are parted by colons; `\:` is a colon. */
function splitGroups(text: string | null): string[] {
  if (text === null) return [];
  return text.split(/(?<!\\):/).map((group) => group.replaceAll("\\:", ":"));
}

const LIMIT_VARIABLES: Partial<Record<LimitedAction, string>> = {
  refresh: "rate-limit-token-refresh",
  verify: "rate-limit-verify",
  send: "rate-limit-otp",
  factor: "mfa-rate-limit-challenge-and-verify",
  passkey: "rate-limit-passkey",
  signUp: "rate-limit-sign-ups",
  signUpDay: "rate-limit-sign-ups-day",
  signIn: "rate-limit-sign-ins",
};

function readLimits(variables: Variables): AuthConfig["limits"] | null {
  const limits = { ...defaultAuthConfig.limits };
  // Whoever lets more through in five minutes does not mean fewer a day.
  const inMinutes = variables.integer("rate-limit-sign-ups", anyCount) ?? 0;
  const { signUpDay } = limits;
  limits.signUpDay = { ...signUpDay, points: Math.max(signUpDay.points, inMinutes) };
  for (const [action, name] of Object.entries(LIMIT_VARIABLES) as [LimitedAction, string][]) {
    const points = variables.integer(name, anyCount);
    if (points !== null) limits[action] = { ...limits[action], points };
  }
  const seconds = variables.seconds("smtp-max-frequency");
  if (seconds !== null) limits.accountSend = onceIn(seconds);
  const phoneSeconds = variables.seconds("mfa-phone-max-frequency");
  if (phoneSeconds !== null) limits.accountFactorSms = onceIn(phoneSeconds);
  return limits;
}

function onceIn(seconds: number): Limit {
  return { points: 1, seconds: Math.max(1, Math.round(seconds)) };
}
