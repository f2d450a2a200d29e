import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { readAuthSettings, STANDALONE_AUTH_SETTINGS } from "./auth-settings.ts";
import { watchReads } from "./watch-reads.ts";

test.each([
  ["GOTRUE_DISABLE_SIGNUP", "maybe", "must be true or false"],
  ["GOTRUE_JWT_EXP", "5", "must be a whole number from 60 to 604800"],
  ["GOTRUE_MAILER_OTP_LENGTH", "4", "must be a whole number from 6 to 10"],
  ["GOTRUE_SESSIONS_TIMEBOX", "1 day", "must be a length of time such as 90s, 15m or 24h"],
  [
    "GOTRUE_WEBAUTHN_RP_ID",
    "https://site.example",
    "must be the site's host name, without protocol and port",
  ],
  ["GOTRUE_WEBAUTHN_RP_ORIGINS", "site.example", "must list origins such as https://site.example"],
  ["GOTRUE_SECURITY_CAPTCHA_ENABLED", "perhaps", "must be true or false"],
  ["GOTRUE_SECURITY_CAPTCHA_TIMEOUT", "720h", "must be at most 24h"],
  [
    "GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE",
    "email admin",
    "must name some of openid, profile, email, phone, separated by spaces",
  ],
  ["GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL", "0s", "must be longer than nothing"],
  ["GOTRUE_RATE_LIMIT_OTP", "none", "must be a whole number from 1 to 1000000"],
  ["GOTRUE_HOOK_SEND_SMS_ENABLED", "maybe", "must be true or false"],
])("%s=%s is refused by name", (name, value, rule) => {
  expect(() => readAuthSettings({ [name]: value })).toThrow(`${name} ${rule}.`);
});

test("unset settings are left to other configuration", () => {
  const { limits, ...rest } = readAuthSettings({});
  expect(rest).toEqual({});
  expect(limits?.signUp).toEqual({ points: 30, seconds: 300 });
});

test("switches, durations, lists and limits have the same meaning as upstream", () => {
  const { limits, ...settings } = readAuthSettings({
    GOTRUE_SITE_URL: "https://site.example",
    GOTRUE_URI_ALLOW_LIST: "https://a.example/**, app://callback",
    GOTRUE_DISABLE_SIGNUP: "true",
    GOTRUE_MAILER_AUTOCONFIRM: "false",
    GOTRUE_SESSIONS_TIMEBOX: "24h",
    GOTRUE_SESSIONS_INACTIVITY_TIMEOUT: "90m",
    GOTRUE_JWT_EXP: "120",
    GOTRUE_RATE_LIMIT_VERIFY: "7",
    GOTRUE_SMTP_MAX_FREQUENCY: "5s",
  });
  expect(settings).toEqual({
    siteUrl: "https://site.example",
    uriAllowList: ["https://a.example/**", "app://callback"],
    disableSignup: true,
    mailerAutoconfirm: false,
    sessionTimebox: 86_400,
    sessionInactivity: 5_400,
    accessTokenLifetime: 120,
  });
  expect(limits).toMatchObject({
    verify: { points: 7, seconds: 300 },
    accountSend: { points: 1, seconds: 5 },
  });
});

test.each([
  ["1m0s", 60],
  ["24h0m0s", 86_400],
  ["1h30m", 5_400],
  ["1.5h", 5_400],
  ["1m500ms", 60.5],
  ["0", 0],
])("the duration %s is read as Go does", (text, seconds) => {
  expect(readAuthSettings({ GOTRUE_SESSIONS_TIMEBOX: text }).sessionTimebox).toBe(seconds);
});

test.each(["90", "1d", "-5s", "5s 5m", "s"])("the duration %s is refused", (text) => {
  expect(() => readAuthSettings({ GOTRUE_SESSIONS_TIMEBOX: text })).toThrow("must be a length of time");
});

test("a password's character groups are separated by colons, and a colon can be escaped", () => {
  const find = readAuthSettings({
    GOTRUE_PASSWORD_MIN_LENGTH: "8",
    GOTRUE_PASSWORD_REQUIRED_CHARACTERS: "abc:012:\\:;",
  }).findPasswordFault;
  expect(find?.("aaaa0000")?.reasons).toEqual(["characters"]);
  expect(find?.("a0:")?.message).toBe("Password should be at least 8 characters.");
  expect(find?.("aaaa000:")).toBe(null);
});

test("the check for common passwords can be disabled", () => {
  const settings = readAuthSettings({ GOTRUE_PASSWORD_COMMON_REFUSED: "false" });
  expect(settings.refuseCommonPasswords).toBe(false);
});

test("passkeys and second factors are configured as upstream", () => {
  const { limits, ...settings } = readAuthSettings({
    GOTRUE_PASSKEY_ENABLED: "true",
    GOTRUE_WEBAUTHN_RP_ID: "site.example",
    GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: "Site",
    GOTRUE_WEBAUTHN_RP_ORIGINS: "https://site.example,https://www.site.example",
    GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION: "2m",
    GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: "true",
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: "false",
    GOTRUE_MFA_PHONE_MAX_FREQUENCY: "30s",
    GOTRUE_RATE_LIMIT_PASSKEY: "5",
  });
  expect(settings).toEqual({
    passkeysEnabled: true,
    relyingParty: {
      id: "site.example",
      name: "Site",
      origins: ["https://site.example", "https://www.site.example"],
    },
    passkeyChallengeExpiry: 120,
    webauthnEnroll: true,
    phoneVerify: false,
  });
  expect(limits).toMatchObject({
    passkey: { points: 5, seconds: 300 },
    accountFactorSms: { points: 1, seconds: 30 },
  });
  expect(() =>
    readAuthSettings({ GOTRUE_WEBAUTHN_RP_ID: "a.example", GOTRUE_WEBAUTHN_RP_ORIGINS: "https://b.example" }),
  ).toThrow("GOTRUE_WEBAUTHN_RP_ORIGINS must list origins of GOTRUE_WEBAUTHN_RP_ID's own host.");
});

test("a captcha is required only with its provider's secret", () => {
  expect(readAuthSettings({ GOTRUE_SECURITY_CAPTCHA_SECRET: "s" }).captcha).toBeUndefined();
  const on = { GOTRUE_SECURITY_CAPTCHA_ENABLED: "true" };
  expect(() => readAuthSettings(on)).toThrow(
    "GOTRUE_SECURITY_CAPTCHA_SECRET must be set when a captcha is asked for.",
  );
  const turnstile = {
    ...on,
    GOTRUE_SECURITY_CAPTCHA_PROVIDER: "turnstile",
    GOTRUE_SECURITY_CAPTCHA_SECRET: "s",
  };
  expect(readAuthSettings(turnstile).captcha).toEqual({
    maker: "turnstile",
    secret: "s",
    verifyUrl: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    timeout: 10,
  });
});

test("no setting is in two groups", () => {
  const names = STANDALONE_AUTH_SETTINGS.flatMap((group) => Object.keys(group));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

test("the limit for codes applies to sign-ups too, unless they have their own", () => {
  const limits = (environment: Record<string, string>) => readAuthSettings(environment).limits;
  const codes = { GOTRUE_RATE_LIMIT_OTP: "3" };
  expect(limits(codes)).toMatchObject({ send: { points: 3 }, signUp: { points: 3 } });
  expect(limits({ ...codes, GOTRUE_RATE_LIMIT_SIGN_UPS: "300" })).toMatchObject({
    send: { points: 3 },
    signUp: { points: 300 },
    signUpDay: { points: 300 },
  });
});

test("the limit for tokens applies to sign-ins too, unless they have their own", () => {
  const tokens = { GOTRUE_RATE_LIMIT_TOKEN_REFRESH: "5" };
  expect(readAuthSettings(tokens).limits).toMatchObject({ refresh: { points: 5 }, signIn: { points: 5 } });
  const apart = { ...tokens, GOTRUE_RATE_LIMIT_SIGN_INS: "7" };
  expect(readAuthSettings(apart).limits?.signIn.points).toBe(7);
});

test("a known upstream variable without effect here is reported with the reason", () => {
  const { describeUnread } = watchReads({ GOTRUE_OPERATOR_TOKEN: "x", GOTRUE_TRACING_HOST: "x" });
  expect(describeUnread()).toEqual([
    "GOTRUE_OPERATOR_TOKEN is set and has no effect: the token of an admin role is what opens the admin endpoints.",
    "GOTRUE_TRACING_HOST is set and has no effect: no traces are exported.",
  ]);
});

const whsec = `v1,whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const hookOf = (uri: string, secrets = "") => ({
  GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED: "true",
  GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_URI: uri,
  GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_SECRETS: secrets,
});

test("hooks are database functions, or URLs with keys", () => {
  const read = (uri: string, secrets?: string) => readAuthSettings(hookOf(uri, secrets)).hooks;
  expect(read("pg-functions://postgres/public/my_claims")).toEqual({
    accessToken: { sqlName: '"public"."my_claims"' },
  });
  expect(read("https://hooks.example/claims", `${whsec}|${whsec}`)).toEqual({
    accessToken: { url: "https://hooks.example/claims", keys: [whsec.slice(9), whsec.slice(9)] },
  });
  expect(readAuthSettings({ ...hookOf("x"), GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED: "false" }).hooks).toBe(
    undefined,
  );
});

test.each([
  ["", whsec, "_URI must name the hook"],
  ["pg-functions://postgres/public/f(); drop table x", whsec, "_URI must be an https:// address"],
  ["http://hooks.example/claims", whsec, "_URI must be an https:// address"],
  ["https://hooks.example/claims", "", "_SECRETS must hold the key that signs"],
  ["https://hooks.example/claims", "v1,whsec_short", "_SECRETS must hold keys as v1,whsec_"],
])("a hook at %s with the secret %s prevents the start", (uri, secrets, rule) => {
  expect(() => readAuthSettings(hookOf(uri, secrets))).toThrow(`GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN${rule}`);
});

test("the OAuth server is configured as upstream", () => {
  const { limits, ...settings } = readAuthSettings({
    GOTRUE_OAUTH_SERVER_ENABLED: "true",
    GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: "true",
    GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: "agree",
    GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL: "5m",
    GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE: "openid  email",
    GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER: "3",
  });
  expect(settings).toEqual({
    oauthServer: true,
    oauthRegistration: true,
    oauthConsentPath: "/agree",
    oauthRequestLifetime: 300,
    oauthDefaultScope: "openid email",
  });
  expect(limits?.oauthRegister).toEqual({ points: 3, seconds: 300 });
});

test("single sign-on is enabled with a key in upstream's format", () => {
  const on = { GOTRUE_SAML_ENABLED: "true" };
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ format: "der", type: "pkcs1" }).toString("base64");
  const { saml } = readAuthSettings({ ...on, GOTRUE_SAML_PRIVATE_KEY: key });
  expect(saml).toMatchObject({ externalUrl: null, relayStateValidity: 120, allowEncrypted: false });
  expect(createPrivateKey(saml?.privateKey ?? "").equals(privateKey)).toBe(true);
  expect(saml?.nextKey).toBe(null);
  const both = { ...on, GOTRUE_SAML_PRIVATE_KEY: key, GOTRUE_SAML_PRIVATE_KEY_NEXT: key };
  expect(readAuthSettings(both).saml?.nextKey).toBe(saml?.privateKey);
  expect(() => readAuthSettings({ ...both, GOTRUE_SAML_PRIVATE_KEY_NEXT: "abc" })).toThrow(
    "GOTRUE_SAML_PRIVATE_KEY_NEXT must be an RSA key",
  );
  expect(readAuthSettings({ GOTRUE_SAML_PRIVATE_KEY: key }).saml).toBeUndefined();
  for (const wrong of [undefined, "abc"]) {
    expect(() => readAuthSettings({ ...on, GOTRUE_SAML_PRIVATE_KEY: wrong })).toThrow(
      "GOTRUE_SAML_PRIVATE_KEY must be an RSA key of 2048 bits or more: its PKCS #1 form in base64.",
    );
  }
});
