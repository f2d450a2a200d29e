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

/** Protects accounts from stolen tokens and passwords; the hosted service has no equivalent. */
export type AccountGuard = {
  /** Changing credentials requires a sign-in or a second factor within this many seconds. */
  proofSeconds: number;
  /** The page that notices of a change link to; it reads the token from its URL fragment (`#way_back=…`). */
  undoPage: string;
};

/** The operator's mail templates. */
export type MailDesigns = Readonly<Partial<Record<MailKind | NoticeKind, MailDesign>>>;
/** This service as a SAML 2.0 service provider (GOTRUE_SAML_…). */
export type SamlSettings = {
  /** PEM of an RSA key, which signs requests. */
  privateKey: string;
  /** The one that is about to replace it, or did so lately: published as well, and decrypts as well. */
  nextKey: string | null;
  /** Where identity providers reach this service, if different from `externalUrl`. */
  externalUrl: string | null;
  /** Seconds a sign-in may take. */
  relayStateValidity: number;
  /** Accept assertions encrypted with one of the keys. */
  allowEncrypted: boolean;
  /** Allow metadata URLs on private networks, and without TLS. */
  privateAddresses: boolean;
};

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** How the service behaves; where the names differ, comments give the hosted service's equivalent variable. */
export type AuthConfig = typeof defaultAuthConfig;

/** A hosted project's defaults, with sign-ups confirmed by mail; the operator sets the two URLs. */
export const defaultAuthConfig = {
  /** The site's URL; links lead there unless they name another allowed address (GOTRUE_SITE_URL). */
  siteUrl: "http://localhost:3000",
  /** The site's name in mails. */
  siteName: "This site",
  /** Path prefix of every endpoint. */
  basePath: "/auth/v1",
  /** Where a browser reaches this service, including the base path: links in mails lead there (API_EXTERNAL_URL). */
  externalUrl: "http://localhost:3000/auth/v1",
  /** Patterns of addresses, besides the site's, that links may lead to (GOTRUE_URI_ALLOW_LIST). */
  uriAllowList: [] as readonly string[],
  /** Issuer of access tokens; null for `externalUrl` (GOTRUE_JWT_ISSUER). */
  issuer: null as string | null,
  /** The audience of new accounts, and so of their tokens (GOTRUE_JWT_AUD). */
  audience: "authenticated",
  /** The role of new accounts (GOTRUE_JWT_DEFAULT_GROUP_NAME). */
  defaultRole: "authenticated",
  /** Tokens with one of these roles have full access (GOTRUE_JWT_ADMIN_ROLES). */
  adminRoles: ["service_role", "supabase_admin"] as readonly string[],
  disableSignup: false,
  /** Users may link and unlink identities (GOTRUE_SECURITY_MANUAL_LINKING_ENABLED). */
  manualLinking: false,
  /** The operator's hooks (GOTRUE_HOOK_…). */
  hooks: {} as HookAddresses,
  hookTimes: { functionMs: 2_000, httpMs: 5_000, pauseMs: 2_000 },
  /** Sign-in providers, in display order (GOTRUE_EXTERNAL_…). */
  providers: [] as readonly ProviderSettings[],
  /** Providers that operators add at run time; `max` of 0 for no limit (GOTRUE_CUSTOM_OAUTH_…). */
  customProviders: { enabled: true, max: 0, privateAddresses: false },
  /** Store names and pictures from providers with the account, as the hosted service does. */
  providerProfiles: true,
  /**
   * Seconds that a sign-in at a provider may take, and for which a code for a session is valid
   * (GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION).
   */
  flowStateExpiry: 5 * MINUTE,
  /** Null for no captcha (GOTRUE_SECURITY_CAPTCHA_…). */
  captcha: null as Captcha | null,
  emailEnabled: true,
  phoneEnabled: false,
  /** Accounts without an address, accessible only through one session (GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED). */
  anonymousUsers: false,
  /** Seconds without a sign-in or refresh after which an anonymous account is removed. */
  anonymousRetention: 30 * DAY,
  /**
   * Seconds for which a wallet's signed message is valid, by chain; null if wallets of that chain cannot sign in
   * (GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED, …_SOLANA_ENABLED, …_MAXIMUM_VALIDITY_DURATION).
   */
  web3: { ethereum: null, solana: null } as Readonly<Record<"ethereum" | "solana", number | null>>,
  /** Null to disable single sign-on. */
  saml: null as SamlSettings | null,
  /** Accounts are confirmed immediately, without a mail (GOTRUE_MAILER_AUTOCONFIRM). */
  mailerAutoconfirm: false,
  smsAutoconfirm: false,
  /** Seconds for which a code in a text message is valid (GOTRUE_SMS_OTP_EXP). */
  smsOtpExpiry: MINUTE,
  /** Digits of a code in a text message (GOTRUE_SMS_OTP_LENGTH). */
  smsOtpLength: 6,
  /** Fixed codes for numbers that are sent no messages (GOTRUE_SMS_TEST_OTP). */
  smsTestCodes: {} as Readonly<Record<string, string>>,
  /** End of their validity, in milliseconds since 1970; null for no end (GOTRUE_SMS_TEST_OTP_VALID_UNTIL). */
  smsTestCodesUntil: null as number | null,
  /** An email address changes only if the old mailbox agrees, too (GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED). */
  secureEmailChange: true,
  /** Seconds for which a mailed code or link is valid (GOTRUE_MAILER_OTP_EXP). */
  otpExpiry: HOUR,
  /** Digits of a mailed code (GOTRUE_MAILER_OTP_LENGTH). */
  otpLength: 6,
  /**
   * Loads the operator's mail templates, once at startup; rejects if they are invalid (GOTRUE_MAILER_SUBJECTS_…,
   * GOTRUE_MAILER_TEMPLATES_…).
   */
  loadMailDesigns: async (): Promise<MailDesigns> => ({}),
  /** The result of `loadMailDesigns`; set by the service. */
  mailDesigns: {} as MailDesigns,
  /**
   * Turns individual notices on or off. By default all are sent with an account guard, and none without one
   * (GOTRUE_MAILER_NOTIFICATIONS_…).
   */
  notifications: {} as Readonly<Partial<Record<NoticeKind, boolean>>>,
  /**
   * Paths of links in mails, on the host of `externalUrl`; `/verify` of this service by default
   * (GOTRUE_MAILER_URLPATHS_…).
   */
  mailPaths: {} as Readonly<Partial<Record<MailKind, string>>>,
  /** Seconds for which an access token is valid (GOTRUE_JWT_EXP). */
  accessTokenLifetime: HOUR,
  /**
   * Seconds during which a spent refresh token still yields the current one
   * (GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL).
   */
  reuseInterval: 10,
  /** The refresh token before the current one yields it at any time, as in the hosted service: a response was lost. */
  previousTokenLasts: false,
  /** Reuse of a spent refresh token ends the session (GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED). */
  reuseEndsSession: true,
  /** Seconds after which a session ends, however often it was refreshed; null for never (GOTRUE_SESSIONS_TIMEBOX). */
  sessionTimebox: null as number | null,
  /** Seconds without a refresh after which a session ends; null for never (GOTRUE_SESSIONS_INACTIVITY_TIMEOUT). */
  sessionInactivity: null as number | null,
  /** A user's older sessions end with each new sign-in (GOTRUE_SESSIONS_SINGLE_PER_USER). */
  singleSession: false,
  /** Seconds a session may last without the user's second factor; null for no limit (GOTRUE_SESSIONS_ALLOW_LOW_AAL). */
  lowAalFor: null as number | null,
  /** Seconds for which audit log entries are kept. */
  auditRetention: 90 * DAY,
  /** Seconds after which a sign-up that was never confirmed is removed. */
  unconfirmedRetention: 30 * DAY,
  /** Null to behave as the hosted service does. */
  accountGuard: null as AccountGuard | null,
  /**
   * Changing the password requires a mailed code if the session is older than a day
   * (GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION).
   */
  reauthenticateForPassword: false,
  /** Changing the password requires the current one (GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD). */
  requireCurrentPassword: false,
  /**
   * Describes what is wrong with a new password; null if it is fine (GOTRUE_PASSWORD_MIN_LENGTH,
   * GOTRUE_PASSWORD_REQUIRED_CHARACTERS).
   */
  findPasswordFault: passwordPolicy({ minLength: 6 }),
  /** The message for a malformed address, where its user typed it. */
  emailFault: "Unable to validate email address: invalid format",
  /** Names of the site and its subject, not allowed as passwords. */
  ownNames: [] as readonly string[],
  /**
   * Refuse common passwords, the account's own address and the site's names even if they satisfy the policy
   * (GOTRUE_PASSWORD_COMMON_REFUSED).
   */
  refuseCommonPasswords: true,
  /** Null to skip checking passwords against breach lists (GOTRUE_PASSWORD_HIBP_…). */
  breaches: null as BreachSettings | null,
  totpEnroll: true,
  totpVerify: true,
  phoneEnroll: false,
  phoneVerify: false,
  webauthnEnroll: false,
  webauthnVerify: false,
  /** Digits of a phone factor's code (GOTRUE_MFA_PHONE_OTP_LENGTH). */
  phoneFactorCodeLength: 6,
  /** Recovery codes that replace a lost second factor; the hosted service has no equivalent. */
  recoveryCodes: false,
  /** Maximum number of factors per user (GOTRUE_MFA_MAX_ENROLLED_FACTORS). */
  maxFactors: 10,
  /** Maximum number of verified factors per user (GOTRUE_MFA_MAX_VERIFIED_FACTORS). */
  maxVerifiedFactors: 10,
  /** Seconds after which an unverified factor is replaced (GOTRUE_MFA_FACTOR_EXPIRY_DURATION). */
  factorExpiry: 5 * MINUTE,
  /** Seconds for which a second factor's challenge is valid (GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION). */
  challengeExpiry: 5 * MINUTE,
  passkeysEnabled: false,
  /** Maximum number of passkeys per user (GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER). */
  maxPasskeys: 10,
  /** Seconds for which a passkey challenge is valid (GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION). */
  passkeyChallengeExpiry: 5 * MINUTE,
  relyingParty: { id: null, name: null, origins: null } as RelyingPartySettings["relyingParty"],
  /** Applications may ask users for permission to act for them (GOTRUE_OAUTH_SERVER_ENABLED). */
  oauthServer: false,
  /** Applications may register themselves (GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION). */
  oauthRegistration: false,
  /** The site's consent page (GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH). */
  oauthConsentPath: "/oauth/consent",
  /** Seconds for which a consent request, and the resulting code, is valid (GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL). */
  oauthRequestLifetime: 10 * MINUTE,
  /** Space-separated scopes of a request that names none (GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE). */
  oauthDefaultScope: "email",
  /**
   * How often each action may be attempted, per network address or per account (GOTRUE_RATE_LIMIT_…,
   * GOTRUE_SMTP_MAX_FREQUENCY, GOTRUE_SMS_MAX_FREQUENCY, GOTRUE_MFA_PHONE_MAX_FREQUENCY).
   */
  limits: defaultLimits,
  /**
   * Header in which the operator's reverse proxy passes the client's address (GOTRUE_RATE_LIMIT_HEADER); null for none.
   */
  addressHeader: null as string | null,
};
