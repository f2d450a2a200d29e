import type { AuthConfig } from "./auth-config.ts";
import { passwordPolicy } from "./passwords/password-policy.ts";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** A hosted project's defaults, with sign-ins confirmed by mail; the two addresses are the operator's. */
export const defaultAuthConfig: AuthConfig = {
  basePath: "/auth/v1",
  siteUrl: "http://localhost:3000",
  siteName: "This site",
  externalUrl: "http://localhost:3000/auth/v1",
  uriAllowList: [],
  disableSignup: false,
  emailEnabled: true,
  phoneEnabled: false,
  mailerAutoconfirm: false,
  smsAutoconfirm: false,
  smsOtpExpiry: MINUTE,
  smsTestCodes: {},
  secureEmailChange: true,
  otpExpiry: HOUR,
  otpLength: 6,
  accessTokenLifetime: HOUR,
  reuseInterval: 10,
  sessionTimebox: null,
  sessionInactivity: null,
  reauthenticateForPassword: false,
  findPasswordFault: passwordPolicy({ minLength: 6 }),
  totpEnabled: true,
  maxFactors: 10,
  challengeExpiry: 5 * MINUTE,
  limits: {
    signUp: { points: 30, seconds: 5 * MINUTE },
    signIn: { points: 30, seconds: 5 * MINUTE },
    refresh: { points: 150, seconds: 5 * MINUTE },
    verify: { points: 30, seconds: 5 * MINUTE },
    send: { points: 30, seconds: 5 * MINUTE },
    factor: { points: 15, seconds: MINUTE },
    accountSignIn: { points: 100, seconds: HOUR },
    accountKnownNetwork: { points: 1_000_000, seconds: 30 * DAY },
    accountSignInFromAddress: { points: 10, seconds: 5 * MINUTE },
    accountVerify: { points: 10, seconds: 10 * MINUTE },
    accountFactor: { points: 5, seconds: MINUTE },
    accountFactorDay: { points: 50, seconds: DAY },
    accountSend: { points: 1, seconds: MINUTE },
    accountSms: { points: 1, seconds: MINUTE },
  },
  addressHeader: null,
};
