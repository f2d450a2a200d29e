import type { HookAddresses } from "../hooks/create-hooks.ts";
import { defaultLimits } from "../limits/limited-actions.ts";
import type { MailDesign } from "../messages/mail-template.ts";
import type { MailKind } from "../messages/mail-templates.ts";
import type { NoticeKind } from "../messages/notices.ts";
import type { BreachSettings } from "../passwords/breached-passwords.ts";
import { passwordPolicy } from "../passwords/password-policy.ts";
import type { ProviderSettings } from "../provider-protocols/provider.ts";
import type { RelyingPartySettings } from "../webauthn/relying-party.ts";

/** The service that verifies captchas; `timeout` in seconds. */
export type Captcha = { maker: "hcaptcha" | "turnstile"; secret: string; verifyUrl: string; timeout: number };

/** Protects an account from a stolen token or password; the hosted service has no such thing. */
export type AccountGuard = {
  /** Changing credentials requires a sign-in or a second factor within the last so many seconds. */
  proofSeconds: number;
  /** The page that takes the way back out of its fragment (`#way_back=…`): the notice of a change links there. */
  wayBackPage: string;
};

/** The operator's words by mail. */
export type MailDesigns = Readonly<Partial<Record<MailKind | NoticeKind, MailDesign>>>;
/** This service as a SAML 2.0 service provider (GOTRUE_SAML_…). */
export type SamlSettings = {
  /** PEM of an RSA key, which signs requests. */
  privateKey: string;
  /** Where identity providers reach this service, if not at `externalUrl`. */
  externalUrl: string | null;
  /** Seconds for which a sign-in may be under way. */
  relayStateValidity: number;
  /** Assertions may come encrypted with the key. */
  allowEncrypted: boolean;
  /** Metadata may come from addresses of private networks, and without TLS. */
  privateAddresses: boolean;
};

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** How the service behaves; comments name the hosted service's variable of the same meaning where its name does not. */
export type AuthConfig = typeof defaultAuthConfig;

/** A hosted project's defaults, with sign-ins confirmed by mail; the two addresses are the operator's. */
export const defaultAuthConfig = {
  /** Where people use the site; links lead there unless they name an allowed other address (GOTRUE_SITE_URL). */
  siteUrl: "http://localhost:3000",
  /** What mails call the site. */
  siteName: "This site",
  /** Path in front of every endpoint. */
  basePath: "/auth/v1",
  /** Where a browser reaches this service, base path included: links in mails lead there (API_EXTERNAL_URL). */
  externalUrl: "http://localhost:3000/auth/v1",
  /** Patterns of addresses that links may lead to besides the site's (GOTRUE_URI_ALLOW_LIST). */
  uriAllowList: [] as readonly string[],
  /** Who issues access tokens; null for `externalUrl` (GOTRUE_JWT_ISSUER). */
  issuer: null as string | null,
  /** Of new accounts, and so of their tokens (GOTRUE_JWT_AUD). */
  audience: "authenticated",
  /** The role of new accounts (GOTRUE_JWT_DEFAULT_GROUP_NAME). */
  defaultRole: "authenticated",
  /** Whoever has a token of such a role may do everything (GOTRUE_JWT_ADMIN_ROLES). */
  adminRoles: ["service_role", "supabase_admin"] as readonly string[],
  disableSignup: false,
  /** People may add and remove ways to sign in (GOTRUE_SECURITY_MANUAL_LINKING_ENABLED). */
  manualLinking: false,
  /** The operator's own code at fixed points (GOTRUE_HOOK_…). */
  hooks: {} as HookAddresses,
  hookTimes: { functionMs: 2_000, httpMs: 5_000, pauseMs: 2_000 },
  /** Other services through which people may sign in, in the order in which they are offered (GOTRUE_EXTERNAL_…). */
  providers: [] as readonly ProviderSettings[],
  /** Providers that operators add while the service runs; `max` of 0 for any number (GOTRUE_CUSTOM_OAUTH_…). */
  customProviders: { enabled: true, max: 0, privateAddresses: false },
  /** Names and pictures that providers tell are kept with the account, as the hosted service does. */
  providerProfiles: true,
  /** Seconds for which a sign-in at a provider may take (GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION). */
  flowStateExpiry: 5 * MINUTE,
  /** Null for no captcha (GOTRUE_SECURITY_CAPTCHA_…). */
  captcha: null as Captcha | null,
  emailEnabled: true,
  phoneEnabled: false,
  /** Accounts without an address, which one session opens (GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED). */
  anonymousUsers: false,
  /** Seconds without a sign-in or refresh after which an anonymous account is removed. */
  anonymousRetention: 30 * DAY,
  /**
   * Seconds for which a wallet's signed message is good, by chain; null where its wallets open no accounts
   * (GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED, …_SOLANA_ENABLED, …_MAXIMUM_VALIDITY_DURATION).
   */
  web3: { ethereum: null, solana: null } as Readonly<Record<"ethereum" | "solana", number | null>>,
  /** Null for no single sign-on. */
  saml: null as SamlSettings | null,
  /** Accounts are confirmed at once, without a mail (GOTRUE_MAILER_AUTOCONFIRM). */
  mailerAutoconfirm: false,
  smsAutoconfirm: false,
  /** Seconds for which a code in a text message is good (GOTRUE_SMS_OTP_EXP). */
  smsOtpExpiry: MINUTE,
  /** Digits of a code in a text message (GOTRUE_SMS_OTP_LENGTH). */
  smsOtpLength: 6,
  /** Fixed codes of numbers to which nothing is sent (GOTRUE_SMS_TEST_OTP). */
  smsTestCodes: {} as Readonly<Record<string, string>>,
  /** Until when, in milliseconds since 1970; null for ever (GOTRUE_SMS_TEST_OTP_VALID_UNTIL). */
  smsTestCodesUntil: null as number | null,
  /** An address changes only when the old mailbox agrees too (GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED). */
  secureEmailChange: true,
  /** Seconds for which a mailed code or link is good (GOTRUE_MAILER_OTP_EXP). */
  otpExpiry: HOUR,
  /** Digits of a mailed code (GOTRUE_MAILER_OTP_LENGTH). */
  otpLength: 6,
  /** Fetches the operator's words for mails, once at the start; rejects where they cannot be used (GOTRUE_MAILER_SUBJECTS_…, GOTRUE_MAILER_TEMPLATES_…). */
  loadMailDesigns: async (): Promise<MailDesigns> => ({}),
  /** What that gave; set by the service itself. */
  mailDesigns: {} as MailDesigns,
  /** Notices that are sent or not, whatever the account guard says: it sends all, and without it there are none (GOTRUE_MAILER_NOTIFICATIONS_…). */
  notifications: {} as Readonly<Partial<Record<NoticeKind, boolean>>>,
  /** Paths that links in mails lead to, at the host of `externalUrl`; its `/verify` unless said otherwise (GOTRUE_MAILER_URLPATHS_…). */
  mailPaths: {} as Readonly<Partial<Record<MailKind, string>>>,
  /** Seconds for which an access token is good (GOTRUE_JWT_EXP). */
  accessTokenLifetime: HOUR,
  /** Seconds during which a spent refresh token still yields the current one (GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL). */
  reuseInterval: 10,
  /** A spent refresh token that comes back ends the session (GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED). */
  reuseEndsSession: true,
  /** Seconds after which a session ends, however often it was refreshed; null for never (GOTRUE_SESSIONS_TIMEBOX). */
  sessionTimebox: null as number | null,
  /** Seconds without a refresh after which a session ends; null for never (GOTRUE_SESSIONS_INACTIVITY_TIMEOUT). */
  sessionInactivity: null as number | null,
  /** Only the newest sign-in of a person goes on (GOTRUE_SESSIONS_SINGLE_PER_USER). */
  singleSession: false,
  /** Seconds for which a session goes on without its person's second factor; null for no limit (GOTRUE_SESSIONS_ALLOW_LOW_AAL). */
  lowAalFor: null as number | null,
  /** Seconds for which audit log entries are kept. */
  auditRetention: 90 * DAY,
  /** Seconds after which a sign-up that was never confirmed is removed. */
  unconfirmedRetention: 30 * DAY,
  /** Null to behave as the hosted service does. */
  accountGuard: null as AccountGuard | null,
  /** A new password needs a mailed code when the session is older than a day (GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION). */
  reauthenticateForPassword: false,
  /** A new password needs the one that is good now (GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD). */
  requireCurrentPassword: false,
  /** Says what is wrong with a new password, or null (GOTRUE_PASSWORD_MIN_LENGTH, GOTRUE_PASSWORD_REQUIRED_CHARACTERS). */
  findPasswordFault: passwordPolicy({ minLength: 6 }),
  /** What the site and what it is about are called: no passwords. */
  ownNames: [] as readonly string[],
  /** Also where the rule allows them (GOTRUE_PASSWORD_COMMON_REFUSED). */
  refuseCommonPasswords: true,
  /** Null to look up no passwords in lists of breaches (GOTRUE_PASSWORD_HIBP_…). */
  breaches: null as BreachSettings | null,
  totpEnroll: true,
  totpVerify: true,
  phoneEnroll: false,
  phoneVerify: false,
  webauthnEnroll: false,
  webauthnVerify: false,
  /** Digits of the code that a phone factor gets (GOTRUE_MFA_PHONE_OTP_LENGTH). */
  phoneFactorCodeLength: 6,
  /** Codes stand in for a lost second factor; the hosted service has no such thing. */
  recoveryCodes: false,
  /** Factors of one person at most (GOTRUE_MFA_MAX_ENROLLED_FACTORS). */
  maxFactors: 10,
  /** Of those, verified ones at most (GOTRUE_MFA_MAX_VERIFIED_FACTORS). */
  maxVerifiedFactors: 10,
  /** Seconds after which a factor that was never verified makes room (GOTRUE_MFA_FACTOR_EXPIRY_DURATION). */
  factorExpiry: 5 * MINUTE,
  /** Seconds for which a second factor's challenge is good (GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION). */
  challengeExpiry: 5 * MINUTE,
  passkeysEnabled: false,
  /** Passkeys of one person at most (GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER). */
  maxPasskeys: 10,
  /** Seconds for which a passkey's challenge is good (GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION). */
  passkeyChallengeExpiry: 5 * MINUTE,
  relyingParty: { id: null, name: null, origins: null } as RelyingPartySettings["relyingParty"],
  /** Applications may ask people to let them act for them (GOTRUE_OAUTH_SERVER_ENABLED). */
  oauthServer: false,
  /** Applications may register themselves (GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION). */
  oauthRegistration: false,
  /** The site's page that asks a person for consent (GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH). */
  oauthConsentPath: "/oauth/consent",
  /** Seconds for which a request for consent, and the code it leads to, is good (GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL). */
  oauthRequestLifetime: 10 * MINUTE,
  /** Scopes of a request that names none, parted by spaces (GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE). */
  oauthDefaultScope: "email",
  /** How often each action may be tried, per network address or per account (GOTRUE_RATE_LIMIT_…, GOTRUE_SMTP_MAX_FREQUENCY, GOTRUE_SMS_MAX_FREQUENCY, GOTRUE_MFA_PHONE_MAX_FREQUENCY). */
  limits: defaultLimits,
  /** Header in which the operator's own proxy names the visitor's address (GOTRUE_RATE_LIMIT_HEADER); null for none. */
  addressHeader: null as string | null,
};
